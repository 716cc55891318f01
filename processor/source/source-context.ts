import type { Task } from "../../contracts/task.ts";
import type { Network } from "../network/network.ts";
import type { Downloader } from "./downloader.ts";

/** What working on a job's source takes. */
export interface SourceContext {
  readonly network: Network;
  readonly downloader: Downloader;
  /** The job's own. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly limits: Pick<Task["limits"], "source_file_bytes" | "source_silence_ms">;
}
