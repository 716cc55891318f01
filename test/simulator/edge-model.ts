import type { FailureCode } from "../../contracts/failure.ts";
import type { Heartbeat } from "../../contracts/heartbeat.ts";
import type { JobEvent } from "../../contracts/job-lifecycle.ts";
import { signatureWindowMs, sweepIntervalMs } from "../../contracts/limits.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import type { JobInWork } from "../../edge/cluster/job-in-work.ts";
import type { SlotGrant } from "../../edge/cluster/node-slots.ts";
import { NodeTable } from "../../edge/cluster/node-table.ts";
import type { RememberedNodes } from "../../edge/cluster/remembered-node.ts";
import { nextTryAt } from "../../edge/webhooks/retry-schedule.ts";
import type {
  Cargo,
  DatabaseModel,
  EventRow,
  JobRow,
  LeftFile,
  Rules,
  Sender,
  SimulatedTask,
  StoredFile,
} from "./database-model.ts";
import type { StorageModel } from "./storage-model.ts";
import { ask, type Host, newHost, type Wait, type World } from "./world.ts";

interface About {
  readonly jobId: string;
  readonly claim: number;
}
/** A node's report about a job. */
export type SimulatedReport = About & { readonly sequence?: number } & (
    | {
        readonly kind: "reserve_key";
        readonly extension: string;
        readonly taken: string | null;
        readonly sidecars: readonly string[];
      }
    | { readonly kind: "upload_started"; readonly uploadId: string }
    | { readonly kind: "publish"; readonly bytes: number; readonly sidecars: readonly StoredFile[] }
    | { readonly kind: "failed"; readonly code: FailureCode }
    | { readonly kind: "completed" | "returned" }
  );

interface Addressee {
  /** Whether each task claimed for this process was accepted; undefined without a trusted response. */
  takeTasks(nodeId: string, tasks: readonly SimulatedTask[], signedAt: number): boolean[] | undefined;
}

const timeLimitGraceMs = 60_000;
const storageRetryMs = 10 * 60_000;
const lastLookAfterMs = 20 * 60_000;

/** The Worker, its queue, and the registry's Durable Object with the real node table, which can be lost anytime. */
export class EdgeModel {
  readonly #world: World;
  readonly #database: DatabaseModel;
  readonly #storage: StorageModel;
  readonly #jobTimeMs: number;
  readonly #rules: Rules;
  /** Which node answers at which address. */
  readonly nodes = new Map<string, Addressee>();
  /** The ids of events sent to the client, by their subject. */
  readonly heardEvents = new Map<string, Set<string>>();
  #table: NodeTable;
  #remembered: RememberedNodes = new Map();
  #ids = 0;

  constructor(around: {
    world: World;
    database: DatabaseModel;
    storage: StorageModel;
    jobTimeMs: number;
    rules: Rules;
  }) {
    this.#world = around.world;
    this.#database = around.database;
    this.#storage = around.storage;
    this.#jobTimeMs = around.jobTimeMs;
    this.#rules = around.rules;
    this.#table = this.#newTable();
    this.#armSweep();
  }

  /** The object is evicted, moved or killed: its memory is lost. */
  evictRegistry(): void {
    this.#table = this.#newTable();
  }

  /** Whether a message is accepted that was signed at this time according to the sender. */
  believes(signedAt: number): boolean {
    return Math.abs(this.#world.now - signedAt) <= signatureWindowMs;
  }

  hearHeartbeat(heartbeat: Heartbeat): readonly ClaimedJob[] {
    const { cancel, joined, steps } = this.#table.hear(heartbeat, this.#world.now);
    for (const { jobId, claim, step, nodeId } of steps) this.#database.writeStep(jobId, claim, step, nodeId);
    this.#table.stepsWritten(steps);
    if (joined) this.wakeUp();
    return cancel;
  }

  /** The key or true: continue. False: the claim is dead. */
  takeReport(nodeId: string, report: SimulatedReport): string | boolean {
    const { jobId, claim } = report;
    const now = this.#world.now;
    const sender = { nodeId, sequence: report.sequence };
    const change = (event: JobEvent, cargo: Cargo = {}) => this.#change(jobId, event, cargo, sender);
    switch (report.kind) {
      case "reserve_key":
        return this.#database.reserveKey(jobId, claim, report, now, sender) ?? false;
      case "upload_started":
        return change({ type: "upload_started", claim }, { uploadId: report.uploadId });
      case "publish":
        return change({ type: "publish", claim }, { bytes: report.bytes, sidecars: report.sidecars });
      case "completed":
        return change({ type: "complete", claim });
      case "failed":
        return change({ type: "fail", claim, code: report.code });
      case "returned":
        return change({ type: "return", claim });
    }
  }

  /** A client cancels a job. Its node is told at once, unless the registry does not receive the call. */
  cancel(jobId: string, type: "cancel" | "cancel_queued"): void {
    const before = this.#database.jobs.get(jobId)?.state;
    if (!this.#change(jobId, { type }) || before?.status !== "Processing") return;
    if (this.#world.faulty && this.#world.luck.chance(0.3)) return;
    this.#table.noteDead([{ account_id: "", job_id: jobId, claim: before.claim }]);
  }

  /** A queue message, which can be lost, delayed or duplicated, like requests. */
  wakeUp(): void {
    this.#inWorker(this.#consume());
  }

  *#consume(): Generator<Wait, void, unknown> {
    yield* ask(() => this.#inWorker(this.#dispatch()));
  }

  *#dispatch(): Generator<Wait, void, unknown> {
    const grants = yield* ask(() => this.#table.grantSlots(this.#world.now));
    for (const grant of grants ?? []) {
      const claim = () => this.#database.claim(grant.nodeId, grant.slots, this.#world.now);
      const tasks = yield* ask(claim);
      if (tasks !== undefined) this.#inWorker(this.#deliver(grant, tasks));
    }
  }

  *#deliver(grant: SlotGrant, tasks: readonly SimulatedTask[]): Generator<Wait, void, unknown> {
    const signedAt = this.#world.now;
    const accepted =
      tasks.length === 0
        ? []
        : yield* ask(() => this.nodes.get(grant.address)?.takeTasks(grant.nodeId, tasks, signedAt));
    const untaken = tasks.filter((_, index) => accepted?.[index] !== true);
    const used = tasks.length - untaken.length;
    const answered = accepted !== undefined && untaken.length === 0;
    yield* ask(() => this.#table.settleGrant(grant.id, { used, answered }, this.#world.now));
    const refused = accepted === undefined && this.#rules.keepsUnanswered ? [] : untaken;
    for (const { jobId, claim, startedAt } of refused) {
      const isInTime = this.#world.now - startedAt < this.#jobTimeMs;
      yield* ask(() =>
        this.#change(
          jobId,
          isInTime ? { type: "return", claim } : { type: "fail", claim, code: "time_limit" },
        ),
      );
    }
  }

  #armSweep(): void {
    this.#world.after(sweepIntervalMs, () => {
      const { luck, faulty } = this.#world;
      // An alarm that throws or is late.
      if (!(faulty && luck.chance(0.1))) this.#inWorker(this.#sweep());
      this.#armSweep();
    });
  }

  *#sweep(): Generator<Wait, void, unknown> {
    const table = this.#table;
    const held = table.heldClaims();
    const rows = yield* ask(() => [...this.#database.jobs.values()].filter(isInWork).map(jobInWork));
    if (rows === undefined) return;
    const now = this.#world.now;
    const { lost, undelivered, remembered } = table.compare(rows, held, this.#remembered, now);
    this.#remembered = remembered;
    for (const { jobId, claim, startedAt } of rows) {
      if (now - startedAt > this.#jobTimeMs + timeLimitGraceMs)
        yield* ask(() => this.#change(jobId, { type: "fail", claim, code: "time_limit" }));
    }
    for (const { jobId, claim } of lost) yield* ask(() => this.#change(jobId, { type: "lose", claim }));
    for (const { jobId, claim } of undelivered)
      yield* ask(() => this.#change(jobId, { type: "return", claim }));
    const isWaiting = [...this.#database.jobs.values()].some(
      ({ readyAt }) => readyAt !== null && readyAt <= now,
    );
    if (isWaiting && table.hasFreeSlots(now)) this.wakeUp();
    for (const event of this.#database.events)
      if ((event.nextTryAt ?? now + 1) <= now) this.#wakeWebhook(event);
    for (const file of [...this.#database.leftFiles.values()].filter(({ tryAt }) => tryAt <= now)) {
      const isGone = yield* this.#cleanUp(file);
      yield* ask(() => {
        if (isGone && now - file.leftAt >= lastLookAfterMs) this.#database.leftFiles.delete(file.key);
        else file.tryAt = now + (isGone ? lastLookAfterMs : storageRetryMs);
      });
    }
  }

  *#cleanUp({ key, jobId, uploadId }: LeftFile): Generator<Wait, boolean, unknown> {
    if (uploadId !== null && (yield* ask(() => this.#storage.abort(uploadId))) === undefined) return false;
    const found = yield* ask(() => this.#storage.lookUp(key));
    if (found === undefined) return false;
    if (found === null || found.jobId !== jobId) return true;
    return (yield* ask(() => this.#storage.delete(key))) !== undefined;
  }

  /** A message in the webhook queue. */
  #wakeWebhook(event: EventRow): void {
    this.#inWorker(this.#consumeEvent(event));
  }

  *#consumeEvent(event: EventRow): Generator<Wait, void, unknown> {
    yield* ask(() => this.#inWorker(this.#deliverEvent(event)));
  }

  *#deliverEvent(event: EventRow): Generator<Wait, void, unknown> {
    const tries = yield* ask(() => this.#database.claimEvent(event, this.#world.now));
    if (tries === undefined || tries === null) return;
    const isHeard = yield* ask(() => this.#tellClient(event));
    const { now } = this.#world;
    const next = isHeard === true ? null : nextTryAt({ tries, now, retryAfterMs: null, random: 0 });
    yield* ask(() => this.#database.recordTry(event, tries, next));
  }

  #tellClient({ id, subject }: EventRow): true {
    const ids = this.heardEvents.get(subject) ?? new Set();
    this.heardEvents.set(subject, ids.add(id));
    return true;
  }

  /** Changes a job and queues the resulting webhooks. */
  #change(jobId: string, event: JobEvent, cargo: Cargo = {}, sender?: Sender): boolean {
    const known = this.#database.events.length;
    const isDone = this.#database.change(jobId, event, cargo, this.#world.now, sender);
    for (const created of this.#database.events.slice(known)) this.#wakeWebhook(created);
    return isDone;
  }

  /** Runs in a separate Worker, which occasionally dies at any line. */
  #inWorker(program: Generator<Wait, void, unknown>): void {
    const { luck, faulty } = this.#world;
    const host: Host = newHost();
    if (faulty && luck.chance(0.05)) this.#world.after(luck.between(0, 300), () => (host.alive = false));
    this.#world.start(host, program);
  }

  #newTable(): NodeTable {
    return new NodeTable(() => {
      this.#ids += 1;
      return `grant-${this.#ids}`;
    });
  }
}

function isInWork({ state }: JobRow): boolean {
  return state.status === "Processing";
}

function jobInWork({ id, state, nodeId, claimedAt, startedAt }: JobRow): JobInWork {
  return {
    accountId: "",
    jobId: id,
    claim: state.claim,
    nodeId: nodeId ?? "",
    claimedAt,
    startedAt: startedAt ?? claimedAt,
  };
}
