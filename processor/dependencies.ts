import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import type { RunJob } from "./work/job-table.ts";

/** Everything the node's code needs from outside itself. Made here alone; features take what they use. */
export interface Dependencies {
  readonly config: Config;
  /** New at every start of the process. */
  readonly nodeId: string;
  readonly hostname: string;
  readonly log: Log;
  /** This machine's clock: milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Milliseconds from an arbitrary point on, never set back. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly runJob: RunJob;
  readonly timings: { readonly heartbeatMs: number; readonly isolatedAfterMs: number };
}
