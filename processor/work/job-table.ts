import type { HeldJob, Heartbeat, Progress } from "../../contracts/heartbeat.ts";
import type { WorkingStep } from "../../contracts/job-status.ts";
import type { Report } from "../../contracts/report.ts";
import type { ArrivedTask, ClaimedJob, Task, TaskAnswer } from "../../contracts/task.ts";
import type { Log } from "../log.ts";
import type { JobLink, JobResult } from "../pipeline/job.ts";
import type { ReportOutbox } from "../reporting/report-outbox.ts";
import { endReport, isEndReport, type Outcome } from "./job-end.ts";
import { createJobLink } from "./job-link.ts";
import { JobStopped } from "./job-stopped.ts";
import type { Slots } from "./slots.ts";

/** Works on one task until its file is in storage. Rejects with JobFailure, or with whatever the abort led to. */
export type RunJob = (
  task: Task,
  context: { readonly link: JobLink; readonly signal: AbortSignal; readonly log: Log },
) => Promise<JobResult>;

/** The jobs of this node, each from its acceptance until the edge has acknowledged its end. */
export interface JobTable {
  /** Takes tasks that the edge posted, as far as slots are promised for them. `log` carries the request's id. */
  takePosted(tasks: readonly ArrivedTask[], log: Log): TaskAnswer["results"];
  /** Takes tasks from the answer to a report request. `log` carries that request's id. */
  takeAnswered(tasks: readonly ArrivedTask[], log: Log): TaskAnswer["results"];
  /** Stops runs whose claims no longer belong to this node. Nothing is reported about them. */
  drop(claims: readonly ClaimedJob[]): void;
  /** Stops every run and hands the jobs back. */
  returnAll(): void;
  held(): HeldJob[];
  counts(): Heartbeat["counts"];
  /** How many of these reports end a job that holds a slot here. */
  slotsFreedBy(reports: readonly Report[]): number;
  /** Resolves as soon as the table is empty: every job is over and its end acknowledged. */
  whenEmpty(): Promise<void>;
  /** Resolves when the current runs are over, with all their programs and files. */
  whenStopped(): Promise<void>;
}

export interface JobTableOptions {
  readonly slots: Slots;
  readonly runJob: RunJob;
  readonly outbox: Pick<ReportOutbox, "add">;
}

interface Entry {
  readonly task: Task;
  readonly controller: AbortController;
  /** Resolves, never rejects, when the run is over with all its programs and files. */
  readonly run: Promise<void>;
  step: WorkingStep;
  progress: Progress;
  hasEnded: boolean;
}

const noProgress: Progress = {
  percent: 0,
  bytes_downloaded: 0,
  bytes_total: null,
  speed_bytes_per_second: 0,
  eta_seconds: null,
};
/** Claims that left the table are remembered, so that a delayed duplicate of a task is not run again. */
const remembered = 1000;

/** An empty table. Jobs are run with `runJob`, in the slots of `slots`, and reported through `outbox`. */
export function createJobTable({ slots, runJob, outbox }: JobTableOptions): JobTable {
  const entries = new Map<string, Entry>();
  const gone = new Set<string>();
  const waiters: (() => void)[] = [];

  function take(task: Task, takeSlot: () => boolean, jobLog: Log): boolean {
    const key = keyOf(task);
    if (entries.has(key) || gone.has(key)) return true;
    const sameJob = [...entries.values()].filter((entry) => entry.task.job_id === task.job_id);
    if (sameJob.some((entry) => entry.task.claim > task.claim) || !takeSlot()) return false;
    for (const older of sameJob) older.controller.abort(new JobStopped("dropped"));
    const olderRuns = Promise.all(sameJob.map((older) => older.run));
    entries.set(key, start(task, olderRuns, jobLog));
    return true;
  }

  function start(task: Task, before: Promise<unknown>, jobLog: Log): Entry {
    const controller = new AbortController();
    const { signal } = controller;
    const link = createJobLink({
      job: task,
      controller,
      outbox,
      onStep: (step) => {
        entry.step = step;
      },
      onProgress: (progress) => {
        entry.progress = progress;
      },
    });
    jobLog.info("job accepted");
    const run = before
      .then(() => {
        signal.throwIfAborted();
        return runJob(task, { link, signal, log: jobLog });
      })
      .then(
        (result) => end(entry, { result }, jobLog),
        (error: unknown) => end(entry, { error }, jobLog),
      );
    const entry: Entry = {
      task,
      controller,
      run,
      step: "Downloading",
      progress: noProgress,
      hasEnded: false,
    };
    return entry;
  }

  function end(entry: Entry, outcome: Outcome, jobLog: Log): void {
    entry.hasEnded = true;
    const report = endReport(entry.task, outcome, entry.controller.signal);
    if (report === null) {
      jobLog.info("job dropped");
      remove(entry);
      return;
    }
    if (report.kind === "failed") {
      const { code, detail } = report;
      const err = code === "internal" && "error" in outcome ? { err: outcome.error } : {};
      jobLog.warn({ code, detail, ...err }, "job failed");
    } else {
      jobLog.info(`job ${report.kind}`);
    }
    outbox.add(report, () => remove(entry));
  }

  function remove(entry: Entry): void {
    const key = keyOf(entry.task);
    entries.delete(key);
    slots.release();
    gone.add(key);
    const [oldest] = gone;
    if (gone.size > remembered && oldest !== undefined) gone.delete(oldest);
    if (entries.size === 0) for (const wake of waiters.splice(0)) wake();
  }

  function takeAll(
    tasks: readonly ArrivedTask[],
    takeSlot: () => boolean,
    tasksLog: Log,
  ): TaskAnswer["results"] {
    return tasks.map((task) => {
      const { account_id, job_id, claim } = task;
      const jobLog = tasksLog.child({ job_id, account_id, claim });
      const isReadable = !("isUnreadable" in task);
      const accepted = isReadable && take(task, takeSlot, jobLog);
      if (!isReadable) jobLog.warn("job refused: this version cannot read its task");
      else if (!accepted) jobLog.info("job refused");
      return { job_id, claim, accepted };
    });
  }

  return {
    takePosted: (tasks, postLog) => takeAll(tasks, () => slots.takeForPosted(), postLog),
    takeAnswered: (tasks, answerLog) => takeAll(tasks, () => slots.takeForAnswered(), answerLog),
    drop(claims) {
      for (const claim of claims) entries.get(keyOf(claim))?.controller.abort(new JobStopped("dropped"));
    },
    returnAll() {
      for (const { controller } of entries.values()) controller.abort(new JobStopped("returned"));
    },
    held: () =>
      [...entries.values()].map(({ task: { account_id, job_id, claim }, step, progress }) => ({
        account_id,
        job_id,
        claim,
        step,
        progress,
      })),
    counts() {
      const counts = { downloading: 0, muxing: 0, uploading: 0 };
      for (const { step, hasEnded } of entries.values()) if (!hasEnded) counts[counterOf[step]] += 1;
      return counts;
    },
    slotsFreedBy: (reports) =>
      reports.filter((report) => isEndReport(report) && entries.has(keyOf(report))).length,
    whenEmpty: () =>
      entries.size === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve)),
    async whenStopped() {
      await Promise.all([...entries.values()].map(({ run }) => run));
    },
  };
}

const counterOf = { Downloading: "downloading", Muxing: "muxing", Uploading: "uploading" } as const;

function keyOf({ job_id, claim }: ClaimedJob): string {
  return `${job_id}:${claim}`;
}
