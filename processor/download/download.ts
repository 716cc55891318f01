import type { DiskAccount } from "../disk/disk-budget.ts";
import type { ByteBudget } from "../memory/byte-budget.ts";
import { createRetries } from "../network/retries.ts";
import type { SourceContext } from "../source/source-context.ts";
import type { Reading } from "./read-in-order.ts";
import type { RemoteAccess } from "./remote-file.ts";

/** What the fetching of one format is done with. */
export interface Download extends SourceContext {
  /** The node's, for what comes before it can be given out. */
  readonly downloadMemory: ByteBudget;
  /** For what a program fetches, into a file. */
  readonly disk: Pick<DiskAccount, "takeNow" | "give">;
  /** Told as bytes come: how many so far, and how many in all where known. Both may fall, when a source starts over. */
  readonly onBytes: (received: number, total: number | null) => void;
}

/** For reading HTTP resources. */
export function accessOf({ network, limits }: Download): RemoteAccess {
  return { network, silenceMs: limits.source_silence_ms, maxBytes: limits.source_file_bytes };
}

/** For reading pieces of them in order. */
export function readingOf({ signal, limits, downloadMemory }: Download): Omit<Reading, "onBytes" | "renew"> {
  return {
    signal,
    silenceMs: limits.source_silence_ms,
    maxBytes: limits.source_file_bytes,
    budget: downloadMemory,
    retries: createRetries(signal),
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
