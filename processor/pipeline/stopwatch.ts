import type { StageTimings } from "../../contracts/report.ts";

/** Adds up how long each stage was at work. */
export interface Stopwatch {
  time<Result>(stage: keyof StageTimings, work: () => Promise<Result>): Promise<Result>;
  timings(): StageTimings;
}

/** `now` is a clock in milliseconds. */
export function createStopwatch(now: () => number): Stopwatch {
  const spent = { download_ms: 0, mux_ms: 0, upload_ms: 0 };
  return {
    async time(stage, work) {
      const startedMs = now();
      try {
        return await work();
      } finally {
        spent[stage] += now() - startedMs;
      }
    },
    timings: () => ({
      download_ms: Math.round(spent.download_ms),
      mux_ms: Math.round(spent.mux_ms),
      upload_ms: Math.round(spent.upload_ms),
    }),
  };
}
