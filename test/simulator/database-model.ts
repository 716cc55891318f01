import {
  decide,
  initialJobState,
  isEnded,
  type JobEvent,
  type JobState,
} from "../../contracts/job-lifecycle.ts";
import { sidecarKey } from "../../contracts/sidecar-key.ts";
import { jobSteps, type WorkingStep } from "../../contracts/job-status.ts";
import { wentBack } from "../../contracts/went-back.ts";
import { dueAgainAt } from "../../edge/jobs/due-again.ts";
import { leavingFiles } from "../../edge/storage/leaving-files.ts";

/** A stored file, by its key. */
export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
}

export interface JobRow {
  readonly id: string;
  readonly batchId: string | null;
  state: JobState;
  /** The largest number of this claim's questions that has changed the row. */
  reportSequence: number;
  nodeId: string | null;
  /** Null for a waiting job: it is held back until another job of its batch ends. */
  readyAt: number | null;
  claimedAt: number;
  startedAt: number | null;
  storageKey: string | null;
  uploadId: string | null;
  /** Of the file that an attempt was last allowed to publish. */
  bytes: number | null;
  /** Of the sidecars that may be stored. */
  sidecarSuffixes: readonly string[];
  /** The sidecars that the attempt may publish. */
  sidecars: readonly StoredFile[];
  failure: string | null;
}

export interface BatchRow {
  readonly total: number;
  completed: number;
  failed: number;
  hasEnded: boolean;
}

/** A row of the webhook outbox. */
export interface EventRow {
  readonly id: string;
  readonly subject: string;
  tries: number;
  /** Null: delivered, or given up. */
  nextTryAt: number | null;
}

export interface LeftFile {
  readonly jobId: string;
  readonly key: string;
  readonly uploadId: string | null;
  readonly leftAt: number;
  tryAt: number;
}

/** What a node is told about a job to run. */
export interface SimulatedTask {
  readonly jobId: string;
  readonly claim: number;
  readonly startedAt: number;
  readonly earlier: {
    readonly key: string;
    readonly uploadId: string | null;
    readonly bytes: number | null;
    readonly sidecars: readonly StoredFile[];
  } | null;
}

export type Cargo = Partial<Pick<JobRow, "uploadId" | "bytes" | "sidecars">>;

/** The service's rules, which tests can switch off to prove that the simulator detects it. */
export interface Rules {
  readonly decide: typeof decide;
  /** Edge and nodes check which process a claim was given to. */
  readonly fencesProcesses: boolean;
  /** A task without a response stays claimed until its node is known not to have it, or is lost. */
  readonly keepsUnanswered: boolean;
  /** What an attempt has asked before its latest question is refused when it arrives late. */
  readonly refusesLate: boolean;
}

/** The sender of a report; the edge itself is not one. */
export interface Sender {
  readonly nodeId: string;
  /** The report's place among the attempt's questions; undefined for its end. */
  readonly sequence?: number | undefined;
}

/** How many jobs of a batch may be queued or running at once. */
export const episodesAtOnce = 2;
const leftFileRestMs = 30_000;
const eventClaimMs = 40_000;

/** The database: each method is one atomic transaction. Throws if a row makes a forbidden change. */
export class DatabaseModel {
  readonly jobs = new Map<string, JobRow>();
  readonly batches = new Map<string, BatchRow>();
  readonly counts = { Pending: 0, Processing: 0, Completed: 0, Failed: 0 };
  /** In order of creation. */
  readonly events: EventRow[] = [];
  readonly leftFiles = new Map<string, LeftFile>();
  /** Every upload that a node has reported. */
  readonly toldUploads = new Set<string>();
  storedBytes = 0;
  readonly #rules: Rules;
  #keys = 0;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  create(ids: readonly string[], batchId: string | null, now: number): void {
    if (batchId !== null)
      this.batches.set(batchId, { total: ids.length, completed: 0, failed: 0, hasEnded: false });
    for (const [place, id] of ids.entries()) {
      const readyAt = batchId === null || place < episodesAtOnce ? now : null;
      const unclaimed = { nodeId: null, claimedAt: 0, startedAt: null, failure: null };
      const fileless = { storageKey: null, uploadId: null, bytes: null, sidecarSuffixes: [], sidecars: [] };
      const untouched = { state: initialJobState, reportSequence: 0 };
      this.jobs.set(id, { id, batchId, readyAt, ...untouched, ...unclaimed, ...fileless });
      this.counts.Pending += 1;
    }
  }

  claim(nodeId: string, slots: number, now: number): SimulatedTask[] {
    const due = [...this.jobs.values()]
      .filter(({ readyAt }) => readyAt !== null && readyAt <= now)
      .slice(0, slots);
    return due.map((row) => {
      this.#apply(row, { type: "claim" }, {}, now);
      row.nodeId = nodeId;
      row.reportSequence = 0;
      row.claimedAt = now;
      row.startedAt ??= now;
      const { id: jobId, storageKey: key, uploadId, bytes, sidecars, startedAt } = row;
      return {
        jobId,
        claim: row.state.claim,
        startedAt,
        earlier: key === null ? null : { key, uploadId, bytes, sidecars },
      };
    });
  }

  /** True if the sender may continue: the change was made now or earlier. */
  change(jobId: string, event: JobEvent, cargo: Cargo, now: number, sender?: Sender): boolean {
    const row = this.jobs.get(jobId);
    if (row === undefined || this.#isStray(row, sender) || isAboutFormerKey(row, cargo)) return false;
    const isDone = this.#apply(row, event, cargo, now);
    if (isDone) row.reportSequence = sender?.sequence ?? row.reportSequence;
    return isDone;
  }

  /** The job's key; null if the claim is dead. */
  reserveKey(
    jobId: string,
    claim: number,
    wish: { readonly extension: string; readonly taken: string | null; readonly sidecars: readonly string[] },
    now: number,
    sender: Sender,
  ): string | null {
    const row = this.jobs.get(jobId);
    if (
      row === undefined ||
      this.#isStray(row, sender) ||
      row.state.status !== "Processing" ||
      row.state.claim !== claim
    )
      return null;
    const former = row.storageKey;
    const isEnough = wish.sidecars.every((suffix) => row.sidecarSuffixes.includes(suffix));
    if (former !== null && former !== wish.taken && former.endsWith(wish.extension) && isEnough)
      return former;
    this.#leave(row, now);
    this.#keys += 1;
    row.storageKey = `${jobId}/${this.#keys}.${wish.extension}`;
    row.sidecarSuffixes = wish.sidecars;
    row.uploadId = null;
    row.reportSequence = sender.sequence ?? row.reportSequence;
    return row.storageKey;
  }

  writeStep(jobId: string, claim: number, step: WorkingStep, nodeId: string): void {
    const row = this.jobs.get(jobId);
    if (row?.state.status !== "Processing" || row.state.claim !== claim || row.nodeId !== nodeId) return;
    if (rank(row.state.step) < rank(step)) row.state = { ...row.state, step };
  }

  /** Claims a due event for one attempt; null if another has claimed it or it is not due. */
  claimEvent(event: EventRow, now: number): number | null {
    if (event.nextTryAt === null || event.nextTryAt > now) return null;
    event.nextTryAt = now + eventClaimMs;
    event.tries += 1;
    return event.tries;
  }

  recordTry(event: EventRow, tries: number, nextTryAt: number | null): void {
    if (event.tries === tries) event.nextTryAt = nextTryAt;
  }

  /** True if another process has the job, or the sender has asked something else since. */
  #isStray(row: JobRow, sender: Sender | undefined): boolean {
    if (sender === undefined) return false;
    const { nodeId, sequence = row.reportSequence } = sender;
    const isAnothers = row.nodeId !== null && row.nodeId !== nodeId;
    return (
      (this.#rules.fencesProcesses && isAnothers) ||
      (this.#rules.refusesLate && sequence < row.reportSequence)
    );
  }

  #apply(row: JobRow, event: JobEvent, cargo: Cargo, now: number): boolean {
    const before = row.state;
    const decision = this.#rules.decide(before, event);
    if (decision.kind === "unchanged") return true;
    if (decision.kind !== "changed") return false;
    if ("claim" in event && event.claim !== before.claim) throw new Error("A dead claim changed a job");
    const after = decision.state;
    expectForward(before, after);
    const wasReleased = before.status === "Processing" || row.readyAt !== null;
    row.state = after;
    row.readyAt = after.status === "Pending" ? dueAgainAt(event.type, after.claim, now) : null;
    if (after.status !== "Processing") row.nodeId = null;
    if (cargo.uploadId) this.toldUploads.add(cargo.uploadId);
    row.uploadId = cargo.uploadId ?? row.uploadId;
    row.bytes = cargo.bytes ?? row.bytes;
    row.sidecars = cargo.sidecars ?? row.sidecars;
    this.counts[before.status] -= 1;
    this.counts[after.status] += 1;
    if (isEnded(after)) this.#end(row, decision.failure, wasReleased, now);
    return true;
  }

  #end(row: JobRow, failure: string | null, wasReleased: boolean, now: number): void {
    row.failure = failure;
    if (failure === null) this.storedBytes += storedBytes(row);
    this.#leave(row, now);
    const batch = row.batchId === null ? undefined : this.batches.get(row.batchId);
    if (batch === undefined) {
      this.#createEvent(row.id, now);
      return;
    }
    if (wasReleased) this.#releaseNext(row.batchId, now);
    batch[failure === null ? "completed" : "failed"] += 1;
    batch.hasEnded = batch.completed + batch.failed === batch.total;
    if (batch.hasEnded) this.#createEvent(String(row.batchId), now);
  }

  #releaseNext(batchId: string | null, now: number): void {
    const isHeldBack = (row: JobRow) => row.state.status === "Pending" && row.readyAt === null;
    const next = [...this.jobs.values()].find((row) => row.batchId === batchId && isHeldBack(row));
    if (next !== undefined) next.readyAt = now;
  }

  #createEvent(subject: string, now: number): void {
    this.events.push({ id: `event-${this.events.length}`, subject, tries: 0, nextTryAt: now });
  }

  /** Records files that the job's attempts may have stored but that the job does not list. */
  #leave(row: JobRow, now: number): void {
    const shown = new Set(shownFiles(row).map(({ key }) => key));
    for (const { storageKey: key, uploadId } of leavingFiles({ ...row, wasPublished: row.bytes !== null })) {
      if (shown.has(key) || this.leftFiles.has(key)) continue;
      this.leftFiles.set(key, { jobId: row.id, key, uploadId, leftAt: now, tryAt: now + leftFileRestMs });
    }
  }
}

/** The files of a completed job; none for any other job. */
export function shownFiles({ state, storageKey, bytes, sidecars }: JobRow): StoredFile[] {
  if (state.status !== "Completed" || storageKey === null) return [];
  return [{ key: storageKey, bytes: bytes ?? 0 }, ...sidecars];
}

/** The storage usage of a completed job. */
export function storedBytes(row: JobRow): number {
  return shownFiles(row).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Facts stored under a previous name of the job. */
function isAboutFormerKey({ storageKey, sidecarSuffixes }: JobRow, { sidecars = [] }: Cargo): boolean {
  const own = new Set(sidecarSuffixes.map((suffix) => sidecarKey(storageKey ?? "", suffix)));
  return !sidecars.every(({ key }) => own.has(key));
}

function rank(step: JobState["step"]): number {
  return jobSteps.indexOf(step);
}

/** Changes that no event may make to a job. */
function expectForward(before: JobState, after: JobState): void {
  const problem = wentBack(before, after);
  if (problem !== null) throw new Error(problem);
  if (after.claim > before.claim + 1) throw new Error("A claim was skipped");
  if (after.claim > before.claim && before.status !== "Pending")
    throw new Error("A job was claimed twice at a time");
}
