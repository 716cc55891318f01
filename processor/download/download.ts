import type { ByteBudget } from "../memory/byte-budget.ts";
import type { SourceContext } from "../source/source-context.ts";

/** What the fetching of one format is done with. */
export interface Download extends SourceContext {
  /** The node's, for what comes before it can be given out. */
  readonly downloadMemory: ByteBudget;
  /** Told as bytes come: how many so far, and how many in all where known. Both may fall, when a source starts over. */
  readonly onBytes: (received: number, total: number | null) => void;
}

export interface FileDownload extends Download {
  /** In the job's folder. */
  readonly fileName: string;
}

export interface DownloadedFile {
  readonly path: string;
  readonly bytes: number;
}
