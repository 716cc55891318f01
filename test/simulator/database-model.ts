import {
  decide,
  initialJobState,
  isEnded,
  type JobEvent,
  type JobState,
} from "../../contracts/job-lifecycle.ts";
import { jobSteps, type WorkingStep } from "../../contracts/job-status.ts";

export interface JobRow {
  readonly id: string;
  readonly batchId: string | null;
  state: JobState;
  nodeId: string | null;
  readyAt: number | null;
  claimedAt: number;
  startedAt: number | null;
  storageKey: string | null;
  uploadId: string | null;
  /** Of the file that an attempt was last allowed to publish. */
  bytes: number | null;
  failure: string | null;
}

export interface BatchRow {
  readonly total: number;
  completed: number;
  failed: number;
  hasEnded: boolean;
}

export interface LeftFile {
  readonly jobId: string;
  readonly key: string;
  readonly uploadId: string | null;
  readonly leftAt: number;
  tryAt: number;
}

/** What a node is told of a job that it is to work on. */
export interface SimulatedTask {
  readonly jobId: string;
  readonly claim: number;
  readonly startedAt: number;
  readonly earlier: {
    readonly key: string;
    readonly uploadId: string | null;
    readonly bytes: number | null;
  } | null;
}

export type Cargo = Partial<Pick<JobRow, "uploadId" | "bytes">>;

const leftFileRestMs = 30_000;

/** The database with its transactions: each method is one, and happens whole. Throws where a row does what it must not. */
export class DatabaseModel {
  readonly jobs = new Map<string, JobRow>();
  readonly batches = new Map<string, BatchRow>();
  readonly counts = { Pending: 0, Processing: 0, Completed: 0, Failed: 0 };
  readonly events: string[] = [];
  readonly leftFiles = new Map<string, LeftFile>();
  /** Every upload that a node has told of. */
  readonly toldUploads = new Set<string>();
  storedBytes = 0;
  readonly #decide: typeof decide;
  #keys = 0;

  constructor(decideWith: typeof decide) {
    this.#decide = decideWith;
  }

  create(ids: readonly string[], batchId: string | null, now: number): void {
    if (batchId !== null)
      this.batches.set(batchId, { total: ids.length, completed: 0, failed: 0, hasEnded: false });
    for (const id of ids) {
      const blank = { nodeId: null, claimedAt: 0, startedAt: null, storageKey: null, uploadId: null };
      const row = { id, batchId, state: initialJobState, readyAt: now, bytes: null, failure: null, ...blank };
      this.jobs.set(id, row);
      this.counts.Pending += 1;
    }
  }

  claim(nodeId: string, slots: number, now: number): SimulatedTask[] {
    const due = [...this.jobs.values()].filter(({ state }) => state.status === "Pending").slice(0, slots);
    return due.map((row) => {
      this.#apply(row, { type: "claim" }, {}, now);
      row.nodeId = nodeId;
      row.claimedAt = now;
      row.startedAt ??= now;
      const { id: jobId, storageKey: key, uploadId, bytes, startedAt } = row;
      return {
        jobId,
        claim: row.state.claim,
        startedAt,
        earlier: key === null ? null : { key, uploadId, bytes },
      };
    });
  }

  /** True when the sender may go on: the change was made, or had been made before. */
  change(jobId: string, event: JobEvent, cargo: Cargo, now: number, nodeId?: string): boolean {
    const row = this.jobs.get(jobId);
    if (row === undefined || isAnothers(row, nodeId)) return false;
    return this.#apply(row, event, cargo, now);
  }

  /** The job's key; null where the claim is dead. */
  reserveKey(
    jobId: string,
    claim: number,
    extension: string,
    taken: string | null,
    now: number,
    nodeId: string,
  ): string | null {
    const row = this.jobs.get(jobId);
    if (
      row === undefined ||
      isAnothers(row, nodeId) ||
      row.state.status !== "Processing" ||
      row.state.claim !== claim
    )
      return null;
    const former = row.storageKey;
    if (former !== null && former !== taken && former.endsWith(extension)) return former;
    this.#leave(row, now);
    this.#keys += 1;
    row.storageKey = `${jobId}/${this.#keys}.${extension}`;
    row.uploadId = null;
    return row.storageKey;
  }

  writeStep(jobId: string, claim: number, step: WorkingStep, nodeId: string): void {
    const row = this.jobs.get(jobId);
    if (row?.state.status !== "Processing" || row.state.claim !== claim || row.nodeId !== nodeId) return;
    if (rank(row.state.step) < rank(step)) row.state = { ...row.state, step };
  }

  #apply(row: JobRow, event: JobEvent, cargo: Cargo, now: number): boolean {
    const before = row.state;
    const decision = this.#decide(before, event);
    if (decision.kind === "unchanged") return true;
    if (decision.kind !== "changed") return false;
    if ("claim" in event && event.claim !== before.claim) throw new Error("A dead claim changed a job");
    const after = decision.state;
    expectForward(before, after);
    row.state = after;
    row.readyAt = after.status === "Pending" ? now : null;
    if (after.status !== "Processing") row.nodeId = null;
    if (cargo.uploadId) this.toldUploads.add(cargo.uploadId);
    row.uploadId = cargo.uploadId ?? row.uploadId;
    row.bytes = cargo.bytes ?? row.bytes;
    this.counts[before.status] -= 1;
    this.counts[after.status] += 1;
    if (isEnded(after)) this.#end(row, decision.failure, now);
    return true;
  }

  #end(row: JobRow, failure: string | null, now: number): void {
    row.failure = failure;
    if (failure === null) this.storedBytes += row.bytes ?? 0;
    else this.#leave(row, now);
    const batch = row.batchId === null ? undefined : this.batches.get(row.batchId);
    if (batch === undefined) {
      this.events.push(row.id);
      return;
    }
    batch[failure === null ? "completed" : "failed"] += 1;
    batch.hasEnded = batch.completed + batch.failed === batch.total;
    if (batch.hasEnded) this.events.push(String(row.batchId));
  }

  /** Notes what the job's attempts may have brought to storage. */
  #leave({ id: jobId, storageKey: key, uploadId, bytes }: JobRow, now: number): void {
    if (key === null || (bytes === null && uploadId === null) || this.leftFiles.has(key)) return;
    this.leftFiles.set(key, { jobId, key, uploadId, leftAt: now, tryAt: now + leftFileRestMs });
  }
}

/** `nodeId`: who tells of a change; undefined: the edge itself. */
function isAnothers(row: JobRow, nodeId: string | undefined): boolean {
  return nodeId !== undefined && row.nodeId !== null && row.nodeId !== nodeId;
}

function rank(step: JobState["step"]): number {
  return jobSteps.indexOf(step);
}

/** What no event may do to a job. */
function expectForward(before: JobState, after: JobState): void {
  if (isEnded(before)) throw new Error(`An ended job changed: ${before.status} to ${after.status}`);
  if (after.claim < before.claim || after.claim > before.claim + 1)
    throw new Error("A claim fell or was skipped");
  if (after.claim > before.claim && before.status !== "Pending")
    throw new Error("A job was claimed twice at a time");
  const isSameAttempt = before.status === "Processing" && after.status === "Processing";
  if (isSameAttempt && rank(after.step) < rank(before.step))
    throw new Error("A step went back within an attempt");
  if (isSameAttempt && before.publishing && !after.publishing) throw new Error("Publishing was taken back");
}
