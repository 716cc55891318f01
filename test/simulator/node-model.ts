import type { Heartbeat, HeldJob } from "../../contracts/heartbeat.ts";
import type { FailureCode } from "../../contracts/failure.ts";
import type { WorkingStep } from "../../contracts/job-status.ts";
import { heartbeatIntervalMs, nodeIsolatedAfterMs, signatureWindowMs } from "../../contracts/limits.ts";
import { sidecarKey } from "../../contracts/sidecar-key.ts";
import type { Rules, SimulatedTask, StoredFile } from "./database-model.ts";
import type { EdgeModel, SimulatedReport } from "./edge-model.ts";
import type { StorageModel, StoredObject } from "./storage-model.ts";
import { ask, type Host, newHost, type Running, sleep, type Wait, type World } from "./world.ts";

/** Why a run ended without its file. */
class Failure extends Error {
  readonly code: FailureCode;
  constructor(code: FailureCode) {
    super(code);
    this.code = code;
  }
}
/** The file turned out to be another than the one whose upload has begun: the attempt makes it again. */
class StartsOver extends Error {}
class Stopped extends Error {
  readonly why: "dropped" | "returned";
  constructor(why: "dropped" | "returned") {
    super(why);
    this.why = why;
  }
}

interface Entry {
  readonly task: SimulatedTask;
  /** How many questions it has asked. */
  asked: number;
  /** An upload that it has started and could not abort. */
  unaborted: string | null;
  running: Running | null;
  step: WorkingStep;
  stopped: "dropped" | "returned" | null;
  hasRunEnded: boolean;
}

type PublishReport = Extract<SimulatedReport, { kind: "publish" }>;
type Steps<Result> = Generator<Wait, Result, unknown>;

const slots = 2;
const partsMax = 4;
const partMaxMs = 2000;
const storageTries = 5;
const namesMax = 5;
const sidecarSuffixes = ["en.vtt", "jpg"];
const clockErrorMaxMs = 10 * 60_000;

/** The dependencies of a node. */
export interface Surroundings {
  readonly world: World;
  readonly edge: EdgeModel;
  readonly storage: StorageModel;
  readonly jobTimeMs: number;
  readonly rules: Rules;
  /** The job that kills a node as soon as it has taken it, before it responds. */
  readonly deadlyJob: string;
  readonly onDeath: () => void;
}

/** A processor node: job table, heartbeat, outbox and the pipeline's requests, in the same order as the real one. */
export class NodeModel {
  readonly id: string;
  readonly address: string;
  readonly host: Host = newHost();
  readonly #world: World;
  readonly #edge: EdgeModel;
  readonly #storage: StorageModel;
  readonly #jobTimeMs: number;
  readonly #rules: Rules;
  readonly #deadlyJob: string;
  readonly #onDeath: () => void;
  /** The error of its own clock, and the correction it has learned from the edge's responses. */
  readonly #clockErrorMs: number;
  #learnedErrorMs = 0;
  readonly #entries = new Map<string, Entry>();
  readonly #gone = new Set<string>();
  #sequence = 0;
  #heardAt: number;

  constructor(around: Surroundings, id: string, address: string) {
    this.#world = around.world;
    this.#edge = around.edge;
    this.#storage = around.storage;
    this.#jobTimeMs = around.jobTimeMs;
    this.#rules = around.rules;
    this.#deadlyJob = around.deadlyJob;
    this.#onDeath = around.onDeath;
    const { luck } = around.world;
    this.#clockErrorMs = luck.chance(0.3) ? luck.between(-clockErrorMaxMs, clockErrorMaxMs) : 0;
    this.id = id;
    this.address = address;
    this.#heardAt = around.world.now;
    this.#world.start(this.host, this.#beat());
  }

  get isIdle(): boolean {
    return !this.host.alive || this.#entries.size === 0;
  }

  /** The claims it is running. */
  get claims(): readonly string[] {
    return this.host.alive ? [...this.#entries.keys()] : [];
  }

  kill(): void {
    this.host.alive = false;
  }

  freeze(): void {
    this.host.frozen = true;
  }

  /** Continues it. Sometimes a pending request is sent before the node notices how long it was frozen. */
  thaw(): void {
    if (!this.host.frozen) return;
    this.host.frozen = false;
    if (this.#world.luck.chance(0.8)) this.#isolateIfUnheard();
    for (const late of this.host.late.splice(0)) late();
    this.#isolateIfUnheard();
  }

  /** Returns every job. */
  returnAll(): void {
    for (const entry of this.#entries.values()) this.#stop(entry, "returned");
  }

  takeTasks(nodeId: string, tasks: readonly SimulatedTask[], signedAt: number): boolean[] | undefined {
    if (!this.host.alive || this.host.frozen) return undefined;
    if (Math.abs(this.#edgeNow() - signedAt) > signatureWindowMs) return undefined;
    const isMeant = nodeId === this.id || !this.#rules.fencesProcesses;
    const taken = tasks.map((task) => isMeant && this.#take(task));
    if (!tasks.some(({ jobId }, index) => jobId === this.#deadlyJob && taken[index])) return taken;
    this.kill();
    this.#onDeath();
    return undefined;
  }

  /** The edge's time, as far as the node knows. */
  #edgeNow(): number {
    return this.#world.now + this.#clockErrorMs - this.#learnedErrorMs;
  }

  /** Sends a request to the edge, which rejects signatures too old or too new; any response corrects the clock. */
  *#askEdge<Answer>(serve: () => Answer): Steps<Answer | undefined> {
    const signedAt = this.#edgeNow();
    const answer = yield* ask(() => ({
      date: this.#world.now,
      body: this.#edge.believes(signedAt) ? serve() : undefined,
    }));
    if (answer === undefined) return undefined;
    this.#learnedErrorMs = this.#world.now + this.#clockErrorMs - answer.date;
    return answer.body;
  }

  #take(task: SimulatedTask): boolean {
    const key = keyOf(task);
    if (this.#entries.has(key) || this.#gone.has(key)) return true;
    const sameJob = [...this.#entries.values()].filter((entry) => entry.task.jobId === task.jobId);
    if (sameJob.some((entry) => entry.task.claim > task.claim) || this.#entries.size >= slots) return false;
    for (const older of sameJob) this.#stop(older, "dropped");
    const entry: Entry = {
      task,
      asked: 0,
      unaborted: null,
      running: null,
      step: "Downloading",
      stopped: null,
      hasRunEnded: false,
    };
    this.#entries.set(key, entry);
    entry.running = this.#world.start(this.host, this.#run(entry), (error) => this.#runEnded(entry, error));
    return true;
  }

  #stop(entry: Entry, why: "dropped" | "returned"): void {
    if (entry.stopped !== null || entry.hasRunEnded) return;
    entry.stopped = why;
    entry.running?.interrupt(new Stopped(why));
  }

  #runEnded(entry: Entry, error: unknown): void {
    entry.hasRunEnded = true;
    const kind = entry.stopped ?? (error === undefined ? "completed" : "failed");
    if (error !== undefined && !(error instanceof Failure) && !(error instanceof Stopped))
      throw new Error("The model of a node is broken", { cause: error });
    if (kind === "dropped") {
      this.#remove(entry);
      return;
    }
    const { jobId, claim } = entry.task;
    const report: SimulatedReport =
      kind === "failed"
        ? { kind, jobId, claim, code: error instanceof Failure ? error.code : "internal" }
        : { kind: error === undefined ? "completed" : kind, jobId, claim };
    this.#world.start(this.host, this.#reportEnd(entry, report));
  }

  *#reportEnd(entry: Entry, report: SimulatedReport): Steps<void> {
    yield* this.#tell(report);
    this.#remove(entry);
  }

  #remove(entry: Entry): void {
    this.#entries.delete(keyOf(entry.task));
    this.#gone.add(keyOf(entry.task));
  }

  *#beat(): Steps<void> {
    for (;;) {
      const sentAt = this.#world.now;
      this.#world.start(this.host, this.#sendHeartbeat(sentAt));
      yield sleep(heartbeatIntervalMs);
      this.#isolateIfUnheard();
    }
  }

  *#sendHeartbeat(sentAt: number): Steps<void> {
    this.#sequence += 1;
    const heartbeat = this.#describe();
    const answer = yield* this.#askEdge(() => this.#edge.hearHeartbeat(heartbeat));
    if (answer === undefined) return;
    this.#heardAt = Math.max(this.#heardAt, sentAt);
    for (const { job_id, claim } of answer) {
      const entry = this.#entries.get(`${job_id}:${claim}`);
      if (entry !== undefined) this.#stop(entry, "dropped");
    }
  }

  #describe(): Heartbeat {
    const jobs = [...this.#entries.values()].map(({ task: { jobId, claim }, step }): HeldJob => ({
      account_id: "",
      job_id: jobId,
      claim,
      step,
      progress: {
        percent: 0,
        bytes_downloaded: 0,
        bytes_total: null,
        speed_bytes_per_second: 0,
        eta_seconds: null,
      },
    }));
    return {
      node_id: this.id,
      address: this.address,
      hostname: this.address,
      sequence: this.#sequence,
      free_slots: slots - jobs.length,
      draining: false,
      counts: { downloading: 0, muxing: 0, uploading: 0 },
      jobs,
    };
  }

  #isolateIfUnheard(): void {
    if (this.#world.now - this.#heardAt >= nodeIsolatedAfterMs) this.returnAll();
  }

  /** Sends a report until it gets a response; false: the claim is dead. */
  *#tell(report: SimulatedReport): Steps<string | boolean> {
    for (;;) {
      const sentAt = this.#world.now;
      const answer = yield* this.#askEdge(() => this.#edge.takeReport(this.id, report));
      if (answer !== undefined) {
        this.#heardAt = Math.max(this.#heardAt, sentAt);
        return answer;
      }
      yield sleep(500);
    }
  }

  /** Asks a question, for a run that ends when its claim is dead. */
  *#agree(entry: Entry, question: SimulatedReport): Steps<string> {
    entry.asked += 1;
    const answer = yield* this.#tell({ ...question, sequence: entry.asked });
    if (answer !== false) return String(answer);
    entry.stopped = "dropped";
    throw new Stopped("dropped");
  }

  *#store<Answer>(request: () => Answer): Steps<Answer> {
    for (let tries = 0; tries < storageTries; tries += 1) {
      const answer = yield* ask(request);
      if (answer !== undefined) return answer;
    }
    throw new Failure("storage_error");
  }

  *#run(entry: Entry): Steps<void> {
    const { task } = entry;
    const { luck } = this.#world;
    if (yield* this.#adopt(entry)) return;
    const endsAt = task.startedAt + this.#jobTimeMs;
    const workMs = luck.chance(0.03) ? this.#jobTimeMs : luck.between(100, 20_000);
    yield sleep(Math.max(0, Math.min(workMs, endsAt - this.#world.now)));
    if (this.#world.now >= endsAt) throw new Failure("time_limit");
    if (luck.chance(0.05)) throw new Failure("source_error");
    if (luck.chance(0.5)) entry.step = "Muxing";
    yield sleep(luck.between(0, 2000));
    entry.step = "Uploading";
    // A source may differ each time it is read.
    for (let isMkv = luck.chance(0.15); ; isMkv = !isMkv) {
      try {
        yield* this.#storeFile(entry, isMkv ? "mkv" : "mp4");
        return;
      } catch (error) {
        if (!(error instanceof StartsOver)) throw error;
      }
    }
  }

  *#storeFile(entry: Entry, extension: string): Steps<void> {
    const { luck } = this.#world;
    const { unaborted } = entry;
    if (unaborted !== null) yield* this.#store(() => this.#storage.abort(unaborted));
    const sidecars = sidecarSuffixes
      .filter(() => luck.chance(0.4))
      .map((suffix) => ({ suffix, bytes: luck.chance(0.3) ? 20 : 10 }));
    const suffixes = sidecars.map(({ suffix }) => suffix);
    let taken: string | null = null;
    const { jobId, claim } = entry.task;
    for (let name = 0; name < namesMax; name += 1) {
      const wish: SimulatedReport = {
        kind: "reserve_key",
        jobId,
        claim,
        extension,
        taken,
        sidecars: suffixes,
      };
      const key: string = yield* this.#agree(entry, wish);
      const beside = sidecars.map(({ suffix, bytes }) => ({ key: sidecarKey(key, suffix), bytes }));
      const object = { jobId, bytes: luck.chance(0.3) ? 2000 : 1000 };
      if (yield* this.#storeUnder(entry, key, object, beside)) return;
      taken = key;
    }
    throw new Failure("storage_error");
  }

  *#adopt(entry: Entry): Steps<boolean> {
    const { jobId, claim, earlier } = entry.task;
    if (earlier === null) return false;
    const { key, uploadId, bytes, sidecars } = earlier;
    if (uploadId !== null) yield* this.#store(() => this.#storage.abort(uploadId));
    if (bytes === null) return false;
    for (const file of [{ key, bytes }, ...sidecars])
      if (!(yield* this.#isThere(file.key, file.bytes))) return false;
    yield* this.#agree(entry, { kind: "publish", jobId, claim, bytes, sidecars });
    return true;
  }

  /**
   * Asks whether the file may appear and stores its sidecars, each only if its key is free; false if one is not.
   */
  *#publish(entry: Entry, wish: PublishReport): Steps<boolean> {
    yield* this.#agree(entry, wish);
    for (const { key, bytes } of wish.sidecars) {
      yield* this.#store(() => this.#storage.put(key, { jobId: wish.jobId, bytes }));
      if (!(yield* this.#isThere(key, bytes))) return false;
    }
    return true;
  }

  *#storeUnder(
    entry: Entry,
    key: string,
    object: StoredObject,
    sidecars: readonly StoredFile[],
  ): Steps<boolean> {
    const { jobId, claim } = entry.task;
    const { bytes } = object;
    const wish: PublishReport = { kind: "publish", jobId, claim, bytes, sidecars };
    const inPlace = yield* this.#store(() => this.#storage.lookUp(key));
    if (inPlace !== null) {
      return inPlace.bytes === bytes && (yield* this.#publish(entry, wish));
    }
    const isPublished = { value: false };
    const isWhole = this.#world.luck.chance(0.5);
    let outcome: string;
    try {
      outcome = isWhole
        ? yield* this.#putWhole(entry, key, object, wish, isPublished)
        : yield* this.#putInParts(entry, key, object, wish, isPublished);
    } catch (error) {
      if (entry.stopped !== null || !(error instanceof Failure)) throw error;
      if (isPublished.value && (yield* this.#isThere(key, bytes))) return true;
      throw error;
    }
    if (isPublished.value && (yield* this.#isThere(key, bytes))) return true;
    if (outcome === "taken") return false;
    throw new Failure("storage_error");
  }

  *#isThere(key: string, bytes: number): Steps<boolean> {
    const found = yield* this.#store(() => this.#storage.lookUp(key));
    return found?.bytes === bytes;
  }

  *#putWhole(
    entry: Entry,
    key: string,
    object: StoredObject,
    wish: PublishReport,
    published: { value: boolean },
  ): Steps<string> {
    published.value = yield* this.#publish(entry, wish);
    return published.value ? yield* this.#store(() => this.#storage.put(key, object)) : "taken";
  }

  *#putInParts(
    entry: Entry,
    key: string,
    object: StoredObject,
    wish: PublishReport,
    published: { value: boolean },
  ): Steps<string> {
    const { jobId, claim } = entry.task;
    const { luck } = this.#world;
    const uploadId = yield* this.#store(() => this.#storage.startUpload(key, jobId));
    try {
      yield* this.#agree(entry, { kind: "upload_started", jobId, claim, uploadId });
      for (let parts = luck.whole(partsMax); parts >= 0; parts -= 1) {
        yield sleep(luck.between(0, partMaxMs));
        yield* this.#store(() => (this.#storage.uploads.has(uploadId) ? "arrived" : "no such upload"));
      }
      if (luck.chance(0.2)) throw new StartsOver();
      published.value = yield* this.#publish(entry, wish);
      const outcome = published.value
        ? yield* this.#store(() => this.#storage.complete(uploadId, object))
        : "taken";
      if (outcome !== "stored") yield* this.#store(() => this.#storage.abort(uploadId));
      return outcome;
    } catch (error) {
      yield* this.#abandon(entry, uploadId);
      throw error;
    }
  }

  /** If aborting fails, the next upload of the attempt begins with it, or the edge sees to it. */
  *#abandon(entry: Entry, uploadId: string): Steps<void> {
    entry.unaborted = uploadId;
    try {
      yield* this.#store(() => this.#storage.abort(uploadId));
      entry.unaborted = null;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
}

function keyOf({ jobId, claim }: SimulatedTask): string {
  return `${jobId}:${claim}`;
}
