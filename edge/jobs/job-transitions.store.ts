import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { failureText } from "../../contracts/failure.ts";
import type { FileFacts, Sidecar } from "../../contracts/file-facts.ts";
import { decide, type Decision, type JobEvent, type JobState } from "../../contracts/job-lifecycle.ts";
import { jobSteps } from "../../contracts/job-status.ts";
import type { StageTimings } from "../../contracts/report.ts";
import type { StepChange } from "../cluster/node-table.ts";
import { tellWatchers } from "../cluster/tell-watchers.ts";
import type { Dependencies } from "../dependencies.ts";
import { batchEndings } from "../batches/batch-endings.ts";
import { dayOf } from "../statistics/days.ts";
import { freeNames } from "../storage/free-names.store.ts";
import { type LeavingFile, leavingFiles } from "../storage/leaving-files.ts";
import { insertLeftFiles } from "../storage/left-files.store.ts";
import { namesOfFile } from "../storage/reserved-names.ts";
import { transact } from "../transact.ts";
import { billingPeriod } from "../usage/billing-period.ts";
import { wakeWebhooks } from "../webhooks/wake-webhooks.ts";
import { type EndedJob, writePoints } from "./ended-job-points.ts";
import { appliedChanges, field, type JobWrite } from "./job-write.ts";

/** An event of a job, and what the row is to keep of it. */
export interface JobChange {
  readonly accountId: string;
  readonly jobId: string;
  readonly event: JobEvent;
  /** The process that tells of it: fenced where another one has the job. */
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
  /** The process that the job was claimed for; null while it is in nobody's work. */
  readonly nodeId: string | null;
  readonly readyAt: number | null;
  readonly storageKey: string | null;
  readonly sidecarSuffixes: readonly string[];
  /** Of the upload that an attempt has told of last. */
  readonly uploadId: string | null;
  /** Some attempt was allowed to let the file appear. */
  readonly wasPublished: boolean;
  readonly sidecars: readonly Pick<Sidecar, "storage_key">[];
  readonly storedBytes: number;
  /** Anchor of the account's billing periods; null where there are none, or the job cannot complete next. */
  readonly billingStart: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly container: string | null;
}

const attemptsMax = 8;

/**
 * Applies events to jobs: reads the rows, decides by the lifecycle, and writes each decision only if its row still
 * carries the transition it was decided on, with the counters in the same transaction. A row that moved meanwhile is
 * read and decided again. At most one event a job. Outcomes in the order of `changes`. Webhooks that come of it are sent
 * on their way, who watches a job whose status changed is told, and each that ended gets its point.
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
      const decision = isAnothers(row, change) ? fenced : decide(before, change.event);
      outcomes[index] = { kind: decision.kind, before };
      if (decision.kind !== "changed") continue;
      const one = writeOf(dependencies, row, change, decision);
      writes.set(index, one);
      if (one.finishedAt !== null) ends.set(row.jobId, endOf(row, one, change, one.finishedAt));
    }
    const { written, eventIds } = await write(dependencies, [...writes.values()]);
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

/** True when another process has the job than the one that tells of it. */
function isAnothers(row: SeenRow, { nodeId }: JobChange): boolean {
  return nodeId !== undefined && row.nodeId !== null && row.nodeId !== nodeId;
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

/** Lists are JSON, null where empty. */
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

/** What is left in storage when a job ends: of a failed one everything, of a completed one what it does not show. */
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
    // A heartbeat may write a later step meanwhile: an event that does not move the step leaves it alone.
    step: state.step === row.step ? null : state.step,
    interruptions: state.interruptions,
    publishing: state.publishing ? 1 : 0,
    readyAt: state.status === "Pending" ? now : null,
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

/** `written`: ids of the jobs whose rows still were as seen; `eventIds`: of the webhook events that came of it. */
interface Written {
  readonly written: ReadonlySet<string>;
  readonly eventIds: readonly string[];
}

/** Writes in one transaction. */
async function write(
  { database, clock, newToken }: Pick<Dependencies, "database" | "clock" | "newToken">,
  writes: readonly JobWrite[],
): Promise<Written> {
  if (writes.length === 0) return { written: new Set(), eventIds: [] };
  const list = JSON.stringify(writes);
  const now = clock();
  const updateRows = sql`
    UPDATE jobs
    SET status = ${field("status")},
      step = coalesce(${field("step")}, step),
      interruptions = ${field("interruptions")},
      publishing = ${field("publishing")},
      transition = ${field("token")},
      ready_at = ${field("readyAt")},
      node_id = CASE ${field("keepsNode")} WHEN 1 THEN node_id END,
      finished_at = ${field("finishedAt")},
      upload_id = coalesce(${field("uploadId")}, upload_id),
      file_size = coalesce(${field("fileSize")}, file_size),
      media = coalesce(${field("media")}, media),
      sidecars = coalesce(${field("sidecars")}, sidecars),
      preferred_subtitle = coalesce(${field("preferredSubtitle")}, preferred_subtitle),
      timings = coalesce(${field("timings")}, timings),
      error = ${field("error")},
      error_code = ${field("errorCode")}
    FROM json_each(${list}) AS change
    WHERE jobs.account_id = ${field("accountId")} AND jobs.id = ${field("jobId")}
      AND jobs.transition = ${field("seen")}
    RETURNING jobs.id`;
  const followUps = [
    writes.some(({ status, fromStatus }) => status !== fromStatus) &&
      sql`
        UPDATE account_counters
        SET pending = account_counters.pending + moved.pending, processing = account_counters.processing + moved.processing,
          completed = account_counters.completed + moved.completed, failed = account_counters.failed + moved.failed,
          storage_bytes = storage_bytes + moved.stored_bytes,
          period_start = max(account_counters.period_start, coalesce(moved.period_start, 0)),
          period_storage_bytes = moved.stored_bytes
            + CASE WHEN moved.period_start > account_counters.period_start THEN 0 ELSE period_storage_bytes END
        FROM (
          SELECT jobs.account_id, ${moved("Pending")} AS pending, ${moved("Processing")} AS processing,
            ${moved("Completed")} AS completed, ${moved("Failed")} AS failed,
            sum(${field("storedBytes")}) AS stored_bytes, max(${field("periodStart")}) AS period_start
          FROM ${appliedChanges(list)} GROUP BY jobs.account_id
        ) AS moved
        WHERE account_counters.account_id = moved.account_id`,
    writes.some(({ day }) => day !== null) &&
      sql`
        INSERT INTO day_counts (account_id, day, completed, failed)
        SELECT jobs.account_id, ${field("day")}, sum(jobs.status = 'Completed'), sum(jobs.status = 'Failed')
        FROM ${appliedChanges(list)} WHERE ${field("day")} IS NOT NULL GROUP BY 1, 2
        ON CONFLICT DO UPDATE SET completed = completed + excluded.completed, failed = failed + excluded.failed`,
    writes.some(({ freedNames }) => freedNames.length > 0) &&
      freeNames(
        sql`${appliedChanges(list)} CROSS JOIN json_each(change.value -> 'freedNames') AS freed`,
        now,
      ),
    writes.some((each) => each.leftFiles.length > 0) &&
      insertLeftFiles(
        sql`${appliedChanges(list)} CROSS JOIN json_each(change.value -> 'leftFiles') AS leaving`,
        now,
      ),
    ...endingsByBatch(writes).flatMap(({ endings, ...batch }) =>
      batchEndings(endings, batch, { now, token: newToken() }),
    ),
    ...endEvents(writes, list, now),
  ].filter((statement) => statement !== false);
  const [updated, ...created] = await transact(database, [updateRows, ...followUps]);
  return { written: new Set(idsOf(updated)), eventIds: idsOf(created.flat()) };
}

function idsOf(rows: unknown): string[] {
  return z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => id);
}

interface EndingsOfBatch {
  readonly accountId: string;
  readonly batchId: string;
  readonly endings: JobWrite[];
}

/** The batches in which jobs end, each with the changes that end them. */
function endingsByBatch(writes: readonly JobWrite[]): EndingsOfBatch[] {
  const batches = new Map<string, EndingsOfBatch>();
  for (const one of writes) {
    const { accountId, batchId, ended } = one;
    if (ended === 0 || batchId === null) continue;
    const batch = batches.get(batchId) ?? { accountId, batchId, endings: [] };
    batch.endings.push(one);
    batches.set(batchId, batch);
  }
  return [...batches.values()];
}

/**
 * The events that clients asked for, of the jobs that end and of their batches, each once a subject. Alone of all
 * follow-ups these statements return rows: the ids.
 */
function endEvents(writes: readonly JobWrite[], list: string, now: number): SQL[] {
  const ended = writes.filter((one) => one.ended === 1);
  const ofJobs = sql`
      INSERT INTO webhook_events (id, account_id, type, subject, job_id, url, created_at, next_try_at)
      SELECT ${field("jobEventId")}, jobs.account_id,
        CASE jobs.status WHEN 'Completed' THEN 'job_completed' ELSE 'job_failed' END,
        jobs.id, jobs.id, jobs.webhook_url, jobs.finished_at, ${now}
      FROM ${appliedChanges(list)}
      WHERE ${field("ended")} = 1 AND jobs.batch_id IS NULL AND jobs.webhook_url IS NOT NULL
      ON CONFLICT DO NOTHING
      RETURNING id`;
  const ofBatches = sql`
      INSERT INTO webhook_events (id, account_id, type, subject, batch_id, url, created_at, next_try_at)
      SELECT min(${field("batchEventId")}), batches.account_id, 'batch_completed', batches.id, batches.id,
        batches.webhook_url, ${now}, ${now}
      FROM ${appliedChanges(list)}
      CROSS JOIN batches ON batches.account_id = jobs.account_id AND batches.id = jobs.batch_id
      WHERE ${field("ended")} = 1 AND batches.status <> 'processing' AND batches.webhook_url IS NOT NULL
      GROUP BY batches.account_id, batches.id
      ON CONFLICT DO NOTHING
      RETURNING id`;
  return [
    ...(ended.some(({ batchId }) => batchId === null) ? [ofJobs] : []),
    ...(ended.some(({ batchId }) => batchId !== null) ? [ofBatches] : []),
  ];
}

function moved(status: string): SQL {
  return sql`sum((${field("status")} = ${status}) - (${field("fromStatus")} = ${status}))`;
}

/** Steps as heartbeats tell them: forward only, within the claim, without a transition of their own. */
export async function writeSteps(
  { database }: Pick<Dependencies, "database">,
  steps: readonly StepChange[],
): Promise<void> {
  const rank = (column: SQL) => sql`instr(${jobSteps.join(",")}, ${column})`;
  await database.run(sql`
    UPDATE jobs SET step = told.value ->> 'step'
    FROM json_each(${JSON.stringify(steps)}) AS told
    WHERE jobs.account_id = told.value ->> 'accountId' AND jobs.id = told.value ->> 'jobId'
      AND jobs.claim = told.value ->> 'claim' AND jobs.node_id = told.value ->> 'nodeId'
      AND jobs.status = 'Processing'
      AND ${rank(sql`jobs.step`)} < ${rank(sql`told.value ->> 'step'`)}`);
}
