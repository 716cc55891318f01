import { sql } from "drizzle-orm";
import { failureText } from "../../contracts/failure.ts";
import type { FileFacts, Sidecar } from "../../contracts/file-facts.ts";
import { decide, type Decision, type JobEvent, type JobState } from "../../contracts/job-lifecycle.ts";
import type { StageTimings } from "../../contracts/report.ts";
import { sidecarKey } from "../../contracts/sidecar-key.ts";
import { tellWatchers } from "../cluster/tell-watchers.ts";
import type { Dependencies } from "../dependencies.ts";
import { dayOf } from "../statistics/days.ts";
import { type LeavingFile, leavingFiles } from "../storage/leaving-files.ts";
import { namesOfFile } from "../storage/reserved-names.ts";
import { billingPeriod } from "../usage/billing-period.ts";
import { wakeWebhooks } from "../webhooks/wake-webhooks.ts";
import { dueAgainAt } from "./due-again.ts";
import { type EndedJob, writePoints } from "./ended-job-points.ts";
import type { JobWrite } from "./job-write.ts";
import { writeJobs } from "./write-jobs.store.ts";

/** An event of a job, and what its row is to record of it. */
export interface JobChange {
  readonly accountId: string;
  readonly jobId: string;
  readonly event: JobEvent;
  /** The process that reports it: refused if another process has the job. */
  readonly nodeId?: string;
  readonly uploadId?: string;
  readonly facts?: FileFacts;
  readonly timings?: StageTimings;
  readonly failureDetail?: string | null;
}

/** What became of a change, and the state that decided it; null: the account has no such job. */
export interface ChangeOutcome {
  readonly kind: Decision["kind"] | "missing";
  readonly before: JobState | null;
}

const missing: ChangeOutcome = { kind: "missing", before: null };
const fenced: Decision = { kind: "fenced" };

interface SeenRow {
  readonly accountId: string;
  readonly jobId: string;
  readonly batchId: string | null;
  readonly status: JobState["status"];
  readonly step: JobState["step"];
  readonly claim: number;
  readonly interruptions: number;
  readonly publishing: number;
  readonly transition: string;
  /** The process that the job was claimed for; null while nobody is working on it. */
  readonly nodeId: string | null;
  readonly readyAt: number | null;
  readonly storageKey: string | null;
  readonly sidecarSuffixes: readonly string[];
  /** The upload most recently reported by any attempt. */
  readonly uploadId: string | null;
  /** Some attempt was allowed to let the file appear. */
  readonly wasPublished: boolean;
  readonly sidecars: readonly Pick<Sidecar, "storage_key">[];
  readonly storedBytes: number;
  /** Start of the account's billing periods; null if it has none, or the job cannot complete next. */
  readonly billingStart: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly container: string | null;
}

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
  let open = changes.map((_, index) => index);
  for (let attempt = 1; open.length > 0; attempt += 1) {
    if (attempt > attemptsMax) throw new Error("Jobs kept changing while their events were applied");
    const rows = await readRows(
      dependencies,
      open.map((index) => pick(changes, index)),
    );
    const writes = new Map<number, JobWrite>();
    const ends = new Map<string, EndedJob>();
    for (const index of open) {
      const change = pick(changes, index);
      const row = rows.get(change.jobId);
      if (row === undefined) continue;
      const before = stateOf(row);
      const isStray = belongsToAnother(row, change) || isAboutFormerKey(row, change);
      const decision = isStray ? fenced : decide(before, change.event);
      outcomes[index] = { kind: decision.kind, before };
      if (decision.kind !== "changed") continue;
      const one = writeOf(dependencies, row, change, decision);
      writes.set(index, one);
      if (one.finishedAt !== null) ends.set(row.jobId, endOf(row, one, change, one.finishedAt));
    }
    const { written, eventIds } = await writeJobs(dependencies, [...writes.values()]);
    writePoints(
      dependencies,
      [...ends].filter(([jobId]) => written.has(jobId)).map(([, end]) => end),
    );
    const turned = [...writes.values()].filter(
      (one) => one.status !== one.fromStatus && written.has(one.jobId),
    );
    await Promise.all([
      wakeWebhooks(dependencies, eventIds),
      tellWatchers(
        dependencies,
        turned.map(({ jobId }) => jobId),
      ),
    ]);
    open = [...writes].filter(([, { jobId }]) => !written.has(jobId)).map(([index]) => index);
  }
  return outcomes;
}

/** True if a process other than the reporting one has the job. */
function belongsToAnother(row: SeenRow, { nodeId }: JobChange): boolean {
  return nodeId !== undefined && row.nodeId !== null && row.nodeId !== nodeId;
}

/**
 * True if the facts are about a name that the job no longer has: they were reported before the current one was
 * reserved, and arrived late.
 */
function isAboutFormerKey({ storageKey, sidecarSuffixes }: SeenRow, { facts }: JobChange): boolean {
  const own = new Set(sidecarSuffixes.map((suffix) => sidecarKey(storageKey ?? "", suffix)));
  return facts !== undefined && !facts.sidecars.every(({ storage_key: key }) => own.has(key));
}

function pick<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`No item at ${index}`);
  return item;
}

async function readRows(
  { database }: Pick<Dependencies, "database">,
  changes: readonly JobChange[],
): Promise<Map<string, SeenRow>> {
  const wanted = JSON.stringify(changes.map(({ accountId, jobId }) => ({ accountId, jobId })));
  const rows = await database.all<SelectedRow>(sql`
    SELECT jobs.account_id AS accountId, jobs.id AS jobId, batch_id AS batchId, status, step, claim, interruptions, publishing, transition,
      node_id AS nodeId, ready_at AS readyAt, storage_key AS storageKey, sidecar_suffixes AS sidecarSuffixes, upload_id AS uploadId,
      file_size IS NOT NULL AS wasPublished, sidecars, created_at AS createdAt, started_at AS startedAt, media ->> 'container' AS container,
      coalesce(file_size, 0)
        + (SELECT coalesce(sum(value ->> 'bytes'), 0) FROM json_each(coalesce(sidecars, '[]'))) AS storedBytes,
      CASE publishing WHEN 1 THEN (SELECT billing_start FROM accounts WHERE id = jobs.account_id) END AS billingStart
    FROM json_each(${wanted}) AS wanted
    CROSS JOIN jobs ON jobs.account_id = wanted.value ->> 'accountId' AND jobs.id = wanted.value ->> 'jobId'`);
  return new Map(rows.map((row) => [row.jobId, seenRow(row)]));
}

/** Lists are JSON, null if empty. */
type SelectedRow = Omit<SeenRow, "sidecarSuffixes" | "wasPublished" | "sidecars"> & {
  readonly sidecarSuffixes: string | null;
  readonly wasPublished: number;
  readonly sidecars: string | null;
};

function seenRow(row: SelectedRow): SeenRow {
  return {
    ...row,
    sidecarSuffixes: JSON.parse(row.sidecarSuffixes ?? "[]"),
    wasPublished: row.wasPublished === 1,
    sidecars: JSON.parse(row.sidecars ?? "[]"),
  };
}

function stateOf(row: SeenRow): JobState {
  const { status, step, claim, interruptions, publishing } = row;
  return { status, step, claim, interruptions, publishing: publishing === 1 };
}

/** What is left in storage when a job ends: everything of a failed one, and whatever a completed one does not show. */
function leftFiles(row: SeenRow, { status, claim }: JobState): LeavingFile[] {
  if (status === "Failed") return leavingFiles(row);
  if (status !== "Completed" || claim === 1) return [];
  const shown = new Set([row.storageKey, ...row.sidecars.map((sidecar) => sidecar.storage_key)]);
  return leavingFiles(row).filter(({ storageKey }) => !shown.has(storageKey));
}

function writeOf(
  { clock, newToken, newId }: Pick<Dependencies, "clock" | "newToken" | "newId">,
  row: SeenRow,
  change: JobChange,
  { state, failure }: Extract<Decision, { kind: "changed" }>,
): JobWrite {
  const now = clock();
  const ended = state.step === "Finished";
  const { facts } = change;
  return {
    accountId: row.accountId,
    jobId: row.jobId,
    seen: row.transition,
    token: newToken(),
    fromStatus: row.status,
    status: state.status,
    // A heartbeat may write a later step in the meantime: an event that does not change the step leaves it alone.
    step: state.step === row.step ? null : state.step,
    interruptions: state.interruptions,
    publishing: state.publishing ? 1 : 0,
    readyAt: state.status === "Pending" ? dueAgainAt(change.event.type, state.claim, now) : null,
    keepsNode: state.status === "Processing" ? 1 : 0,
    finishedAt: ended ? now : null,
    uploadId: change.uploadId ?? null,
    fileSize: facts?.file_size ?? null,
    media: facts ? JSON.stringify(facts.media) : null,
    sidecars: facts ? JSON.stringify(facts.sidecars) : null,
    preferredSubtitle: facts?.preferred_subtitle ?? null,
    timings: change.timings ? JSON.stringify(change.timings) : null,
    error: failure ? failureText(failure, change.failureDetail) : null,
    errorCode: failure,
    storedBytes: state.status === "Completed" ? row.storedBytes : 0,
    periodStart: row.billingStart === null ? null : billingPeriod(row.billingStart, now).start,
    day: ended && failure !== "cancelled" ? dayOf(now) : null,
    freedNames:
      state.status === "Failed" && row.storageKey !== null
        ? namesOfFile(row.accountId, row.storageKey, row.sidecarSuffixes)
        : [],
    leftFiles: leftFiles(row, state),
    batchId: row.batchId,
    ended: ended ? 1 : 0,
    wasReleased: row.status === "Processing" || row.readyAt !== null ? 1 : 0,
    jobEventId: newId(),
    batchEventId: newId(),
  };
}

function endOf(row: SeenRow, end: JobWrite, { timings }: JobChange, finishedAt: number): EndedJob {
  const { createdAt, startedAt, container, claim } = row;
  return {
    code: end.errorCode,
    isInBatch: row.batchId !== null,
    container: end.status === "Completed" ? container : null,
    createdAt,
    startedAt,
    finishedAt,
    timings: timings ?? null,
    storedBytes: end.storedBytes,
    claims: claim,
  };
}
