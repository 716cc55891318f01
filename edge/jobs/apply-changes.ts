import type { Decision, JobState } from "../../contracts/job-lifecycle.ts";
import { tellWatchers } from "../cluster/tell-watchers.ts";
import type { Dependencies } from "../dependencies.ts";
import { wakeWebhooks } from "../webhooks/wake-webhooks.ts";
import { type EndedJob, writePoints } from "./ended-job-points.ts";
import { decideChange, type JobChange } from "./job-change.ts";
import type { JobWrite } from "./job-write.ts";
import { endOf, planWrite } from "./plan-write.ts";
import { readJobs } from "./seen-jobs.store.ts";
import { writeJobs } from "./write-jobs.store.ts";

/** What became of a change, and the state that decided it; null: the account has no such job. */
export interface ChangeOutcome {
  readonly kind: Decision["kind"] | "missing";
  readonly before: JobState | null;
}

/** A change, its place among all, and what it comes to if its job is still as seen. */
interface Planned {
  readonly index: number;
  readonly change: JobChange;
  readonly write: JobWrite;
  readonly end: EndedJob | null;
}

const missing: ChangeOutcome = { kind: "missing", before: null };
const attemptsMax = 8;

/**
 * Applies events to jobs: reads the rows, decides by the lifecycle, and writes each decision only if its row still
 * carries the transition it was based on, with the counters in the same transaction. A row that changed in the meantime
 * is read and decided again. At most one event per job. Outcomes are in the order of `changes`. Afterwards, sends the
 * resulting webhooks on their way, tells the watchers of jobs whose status changed, and writes a data point for each
 * job that ended.
 */
export async function applyChanges(
  dependencies: Pick<
    Dependencies,
    "database" | "clock" | "newToken" | "newId" | "webhooks" | "registry" | "jobPoints" | "log"
  >,
  changes: readonly JobChange[],
): Promise<ChangeOutcome[]> {
  const outcomes = changes.map(() => missing);
  let open: readonly Pick<Planned, "index" | "change">[] = changes.map((change, index) => ({
    index,
    change,
  }));
  for (let attempt = 1; open.length > 0; attempt += 1) {
    if (attempt > attemptsMax) throw new Error("Jobs kept changing while their events were applied");
    const jobs = await readJobs(
      dependencies,
      open.map(({ change }) => change),
    );
    const planned: Planned[] = [];
    for (const { index, change } of open) {
      const job = jobs.get(change.jobId);
      if (job === undefined) continue;
      const decision = decideChange(job, change);
      outcomes[index] = { kind: decision.kind, before: job.state };
      if (decision.kind !== "changed") continue;
      const write = planWrite(dependencies, job, change, decision);
      planned.push({ index, change, write, end: endOf(job, change, write) });
    }
    const { written, eventIds } = await writeJobs(
      dependencies,
      planned.map(({ write }) => write),
    );
    const done = planned.filter(({ change }) => written.has(change.jobId));
    await announce(dependencies, done, eventIds);
    open = planned.filter(({ change }) => !written.has(change.jobId));
  }
  return outcomes;
}

/**
 * Tells everyone who waits for what has been written. If this is cut off, receivers and watchers learn it later by
 * other ways; only data points are lost.
 */
async function announce(
  dependencies: Pick<Dependencies, "webhooks" | "registry" | "jobPoints" | "log">,
  done: readonly Planned[],
  eventIds: readonly string[],
): Promise<void> {
  writePoints(
    dependencies,
    done.flatMap(({ end }) => end ?? []),
  );
  const turned = done.filter(({ write }) => write.status !== write.fromStatus);
  await Promise.all([
    wakeWebhooks(dependencies, eventIds),
    tellWatchers(
      dependencies,
      turned.map(({ change }) => change.jobId),
    ),
  ]);
}
