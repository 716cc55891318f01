import { JobFailure } from "../pipeline/job.ts";

/** Slower than speech at the lowest bitrate: such a source merely occupies its job's place. */
export const leastPace = { bytes: 256 * 1024, withinMs: 10 * 60_000 };

/** The source sends something, but too little. */
export class SourceTooSlow extends JobFailure {
  constructor() {
    super("source_error", "the source sends too slowly");
  }
}

/** Whether a source keeps the least pace, in each period of waiting for it. */
export interface SourcePace {
  came(bytes: number): void;
  /** The source was being waited for, for so long. Throws SourceTooSlow at the end of a period with too few bytes. */
  waited(milliseconds: number): void;
}

export function createSourcePace(): SourcePace {
  let bytes = 0;
  let waitedMs = 0;
  return {
    came: (more) => {
      bytes += more;
    },
    waited(milliseconds) {
      waitedMs += milliseconds;
      if (waitedMs < leastPace.withinMs) return;
      if (bytes < leastPace.bytes) throw new SourceTooSlow();
      bytes = 0;
      waitedMs = 0;
    },
  };
}
