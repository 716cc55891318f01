import type { WorkingStep } from "../../contracts/job-status.ts";
import type { StageTimings } from "../../contracts/report.ts";
import type { JobLink } from "./job.ts";

export type Stage = "download" | "mux" | "upload";

/**
 * Records how long each stage of a job was active, and the job's step, which is the earliest stage that is not over.
 * Stages may overlap, and may begin again when something has to be repeated.
 */
export interface Stages {
  /** The stage is active from now on. */
  begin(stage: Stage): void;
  /** The stage is over; also called for a stage that the job does not have. */
  end(stage: Stage): void;
  timings(): StageTimings;
}

const order = ["download", "mux", "upload"] as const;
const steps: Readonly<Record<Stage, WorkingStep>> = {
  download: "Downloading",
  mux: "Muxing",
  upload: "Uploading",
};

/** `now` is a clock in milliseconds. */
export function createStages(link: Pick<JobLink, "stepReached">, now: () => number): Stages {
  const spentMs = { download: 0, mux: 0, upload: 0 };
  const startedMs = new Map<Stage, number>();
  const over = new Set<Stage>();
  let reached = -1;

  function reach(): void {
    const current = order.findIndex((stage) => !over.has(stage));
    // A step never goes back, though a stage may begin again.
    if (current <= reached) return;
    reached = current;
    const stage = order[current];
    if (stage !== undefined) link.stepReached(steps[stage]);
  }

  function busyMs(stage: Stage): number {
    const started = startedMs.get(stage);
    return Math.round(spentMs[stage] + (started === undefined ? 0 : now() - started));
  }

  return {
    begin(stage) {
      over.delete(stage);
      if (!startedMs.has(stage)) startedMs.set(stage, now());
      reach();
    },
    end(stage) {
      const started = startedMs.get(stage);
      if (started !== undefined) spentMs[stage] += now() - started;
      startedMs.delete(stage);
      over.add(stage);
      reach();
    },
    timings: () => ({
      download_ms: busyMs("download"),
      mux_ms: busyMs("mux"),
      upload_ms: busyMs("upload"),
    }),
  };
}
