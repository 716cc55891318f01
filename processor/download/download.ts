import type { DiskAccount } from "../disk/disk-budget.ts";
import type { ByteBudget } from "../memory/byte-budget.ts";
import { createRetries } from "../network/retries.ts";
import type { SourceContext } from "../source/source-context.ts";
import type { Reading } from "./read-in-order.ts";
import type { RemoteAccess } from "./remote-file.ts";

/** What downloading one format works with. */
export interface Download extends SourceContext {
  /** The node's, for data that cannot be passed on yet. */
  readonly downloadMemory: ByteBudget;
  /** For what a program downloads into a file. */
  readonly disk: Pick<DiskAccount, "takeNow" | "give">;
  /** Called as bytes arrive: how many so far, and the total if known. Both may fall when a source starts over. */
  readonly onBytes: (received: number, total: number | null) => void;
}

/** For reading HTTP resources. */
export function accessOf({ network, limits }: Download): RemoteAccess {
  return { network, silenceMs: limits.source_silence_ms, maxBytes: limits.source_file_bytes };
}

/** For reading their pieces in order. */
export function readingOf({
  signal,
  limits,
  downloadMemory,
  network,
}: Download): Omit<Reading, "onBytes" | "renew"> {
  return {
    signal,
    silenceMs: limits.source_silence_ms,
    maxBytes: limits.source_file_bytes,
    budget: downloadMemory,
    retries: createRetries(signal, network.patience),
    now: () => performance.now(),
  };
}

export interface FileDownload extends Download {
  /** In the job's folder. */
  readonly fileName: string;
}

export interface DownloadedFile {
  readonly path: string;
  readonly bytes: number;
}
