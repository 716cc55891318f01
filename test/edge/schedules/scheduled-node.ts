import type { Heartbeat } from "../../../contracts/heartbeat.ts";
import { nodeIsolatedAfterMs } from "../../../contracts/limits.ts";
import type { Report, ReportAnswer } from "../../../contracts/report.ts";
import type { ClaimedJob, Task, TaskAnswer, TaskRequest } from "../../../contracts/task.ts";
import type { Luck } from "../../simulator/random.ts";
import { facts, timings } from "../support/made-file.ts";
import type { RequestsUnderWay } from "./requests-under-way.ts";

/** What a node does next with a job: the first four in this order. */
type Stage = "reserve" | "publish" | "put" | "complete" | "return";

interface Held {
  readonly task: Task;
  readonly stage: Stage;
  /** Rises with each stage, and stays the same when one is repeated. */
  readonly sequence: number;
  /** A request of this stage is in flight. */
  readonly isAsking: boolean;
  /** Type and size of the file: a source may give another one each time it is read. */
  readonly extension: string;
  readonly bytes: number;
  readonly storageKey: string | null;
  readonly objectKey: string;
  /** A key for which storage turned out to have an object already. */
  readonly taken: string | null;
}

/** What a node makes of the answer to a stage's request: how the job goes on, null if not at all, and new tasks. */
interface Answered {
  readonly next: Partial<Held> | null;
  readonly tasks: readonly Task[];
}

/** What a node reaches when its request arrives. */
export interface Surroundings {
  readonly clock: { readonly now: number };
  readonly luck: Luck;
  readonly underWay: RequestsUnderWay;
  /** Returns the claims to stop. */
  hearHeartbeat(heartbeat: Heartbeat): Promise<readonly ClaimedJob[]>;
  takeReport(nodeId: string, report: Report, freeSlots: number): Promise<ReportAnswer>;
  /** Stores a job's object, unless there is one; returns the size of what is there then. */
  put(objectKey: string, jobId: string, bytes: number): number;
}

const slots = 2;

/**
 * A node as the edge sees it: it repeats each request until it is answered, and stops its jobs if the edge does not answer.
 */
export class ScheduledNode {
  readonly id: string;
  readonly address: string;
  readonly #around: Surroundings;
  readonly #held = new Map<string, Held>();
  #sequence = 0;
  #heardAt: number;

  constructor(around: Surroundings, id: string, address: string) {
    this.#around = around;
    this.id = id;
    this.address = address;
    this.#heardAt = around.clock.now;
  }

  /** Rejects if the request, or its response, is lost. */
  async takeTasks({ node_id, tasks }: TaskRequest): Promise<TaskAnswer> {
    const { luck } = this.#around;
    if (luck.chance(0.1)) throw new Error("The node did not answer");
    const results = tasks.map((task) => {
      const accepted = node_id === this.id && this.#held.size < slots;
      if (accepted) this.#held.set(keyOf(task), newHeld(task, "reserve", luck));
      return { job_id: task.job_id, claim: task.claim, accepted };
    });
    if (luck.chance(0.1)) throw new Error("The node's answer was lost");
    return { results };
  }

  async beat(): Promise<void> {
    await this.#arrive(this.#nextHeartbeat());
  }

  /** Sends a heartbeat that arrives late, after others, or never. */
  beatLate(): void {
    const late = this.#nextHeartbeat();
    this.#around.underWay.send({ arrive: () => this.#arrive(late), giveUp: () => undefined });
  }

  /** Each job sends its next request; they are returned if the edge has not answered for too long. */
  work(): void {
    const { clock, luck } = this.#around;
    const isIsolated = clock.now - this.#heardAt >= nodeIsolatedAfterMs;
    for (const held of this.#held.values()) {
      if (isIsolated && held.stage !== "return") this.#goOn(held, { stage: "return" });
      // The file turns out to be of another type than expected.
      else if (held.stage === "publish" && !held.isAsking && luck.chance(0.25))
        this.#goOn(held, {
          stage: "reserve",
          taken: null,
          extension: held.extension === "mp4" ? "mkv" : "mp4",
        });
    }
    for (const held of this.#held.values()) if (!held.isAsking) this.#send(held);
  }

  #nextHeartbeat(): { heartbeat: Heartbeat; sentAt: number } {
    this.#sequence += 1;
    const { id, address } = this;
    const jobs = [...this.#held.values()].map(heldJobOf);
    const counts = { downloading: 0, muxing: 0, uploading: 0 };
    const free_slots = slots - jobs.length;
    const about = { node_id: id, hostname: id, address, sequence: this.#sequence };
    return {
      heartbeat: { ...about, free_slots, draining: false, counts, jobs },
      sentAt: this.#around.clock.now,
    };
  }

  async #arrive({ heartbeat, sentAt }: { heartbeat: Heartbeat; sentAt: number }): Promise<void> {
    const cancel = await this.#around.hearHeartbeat(heartbeat);
    this.#heardAt = Math.max(this.#heardAt, sentAt);
    for (const claimed of cancel) this.#held.delete(keyOf(claimed));
  }

  #send(held: Held): void {
    const { luck, underWay } = this.#around;
    this.#held.set(keyOf(held.task), { ...held, isAsking: true });
    // What arrives after the job has gone on changes nothing here.
    const ifStill = (then: (current: Held) => void) => {
      const current = this.#held.get(keyOf(held.task));
      if (current?.sequence === held.sequence) then(current);
    };
    const giveUp = () =>
      ifStill((current) => this.#held.set(keyOf(held.task), { ...current, isAsking: false }));
    underWay.send({
      giveUp,
      arrive: async () => {
        const { next, tasks } = await this.#ask(held);
        if (luck.chance(0.1)) {
          giveUp();
          return;
        }
        ifStill((current) => {
          if (next === null) this.#held.delete(keyOf(held.task));
          else this.#goOn(current, next);
          for (const task of tasks) this.#take(task);
        });
      },
    });
  }

  /** The request of the job's stage, as it was when it was sent. */
  async #ask(held: Held): Promise<Answered> {
    const { stage, storageKey, objectKey, bytes, task } = held;
    if (stage === "put") {
      const isStored = this.#around.put(objectKey, task.job_id, bytes) === bytes;
      const again = { stage: "reserve", taken: storageKey, ...anyFile(this.#around.luck) } as const;
      return { next: isStored ? { stage: "complete" } : again, tasks: [] };
    }
    const isEnd = stage === "complete" || stage === "return";
    const freeSlots = isEnd ? Math.max(0, slots - this.#held.size + 1) : 0;
    const { results, tasks } = await this.#around.takeReport(this.id, reportOf(held, stage), freeSlots);
    const [result] = results;
    if (result?.outcome !== "accepted" || isEnd) return { next: null, tasks };
    if (stage === "publish") return { next: { stage: "put" }, tasks };
    const { storage_key = null, object_key = "" } = result.key ?? {};
    return { next: { stage: "publish", storageKey: storage_key, objectKey: object_key }, tasks };
  }

  #goOn(held: Held, next: Partial<Held>): void {
    const { sequence } = held;
    this.#held.set(keyOf(held.task), { ...held, ...next, sequence: sequence + 1, isAsking: false });
  }

  /** Takes a task from the answer to a report, or hands it back if there is no room. */
  #take(task: Task): void {
    const stage = this.#held.size < slots ? "reserve" : "return";
    this.#held.set(keyOf(task), newHeld(task, stage, this.#around.luck));
  }
}

function newHeld(task: Task, stage: Stage, luck: Luck): Held {
  const keyless = { storageKey: null, objectKey: "", taken: null };
  return { task, stage, sequence: 1, isAsking: false, ...anyFile(luck), ...keyless };
}

function anyFile(luck: Luck): Pick<Held, "extension" | "bytes"> {
  return { extension: luck.chance(0.2) ? "mkv" : "mp4", bytes: luck.chance(0.5) ? 2000 : 1000 };
}

function keyOf({ job_id, claim }: Pick<ClaimedJob, "job_id" | "claim">): string {
  return `${job_id}:${claim}`;
}

function heldJobOf({ task: { account_id, job_id, claim }, stage }: Held): Heartbeat["jobs"][number] {
  const progress = {
    percent: 0,
    bytes_downloaded: 0,
    bytes_total: null,
    speed_bytes_per_second: 0,
    eta_seconds: null,
  };
  return { account_id, job_id, claim, step: stage === "reserve" ? "Downloading" : "Uploading", progress };
}

function reportOf({ task, sequence, extension, bytes, taken }: Held, stage: Exclude<Stage, "put">): Report {
  const { account_id, job_id, claim } = task;
  const claimed = { account_id, job_id, claim };
  switch (stage) {
    case "reserve":
      return { ...claimed, sequence, kind: "reserve_key", title: "Talk", extension, taken, sidecars: [] };
    case "publish":
      return { ...claimed, sequence, kind: "publish", facts: { ...facts, file_size: bytes } };
    case "complete":
      return { ...claimed, kind: "completed", timings };
    case "return":
      return { ...claimed, kind: "returned" };
  }
}
