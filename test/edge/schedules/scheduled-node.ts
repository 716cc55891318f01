import type { Heartbeat } from "../../../contracts/heartbeat.ts";
import { nodeIsolatedAfterMs } from "../../../contracts/limits.ts";
import type { Report, ReportResult } from "../../../contracts/report.ts";
import type { ClaimedJob, Task, TaskAnswer, TaskRequest } from "../../../contracts/task.ts";
import type { Luck } from "../../simulator/random.ts";
import { facts, timings } from "../support/made-file.ts";
import type { RequestsUnderWay } from "./requests-under-way.ts";

/** What a node does next with a job: the first four in this order. */
type Stage = "reserve" | "publish" | "put" | "complete" | "return";

interface Held {
  readonly task: Task;
  stage: Stage;
  /** A request of this stage is in flight. */
  isAsking: boolean;
  /** Size of the file made by this attempt: the source may give the next attempt a different file. */
  readonly bytes: number;
  storageKey: string | null;
  objectKey: string;
  /** A key for which storage turned out to have an object already. */
  taken: string | null;
}

/** What a node reaches when its request arrives. */
export interface Surroundings {
  readonly clock: { readonly now: number };
  readonly luck: Luck;
  readonly underWay: RequestsUnderWay;
  /** Returns the claims to stop. */
  hearHeartbeat(heartbeat: Heartbeat): Promise<readonly ClaimedJob[]>;
  takeReport(nodeId: string, report: Report): Promise<ReportResult | undefined>;
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
      if (accepted) this.#held.set(keyOf(task), newHeld(task, luck));
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
    const isIsolated = this.#around.clock.now - this.#heardAt >= nodeIsolatedAfterMs;
    for (const held of this.#held.values()) {
      if (isIsolated && held.stage !== "return") Object.assign(held, { stage: "return", isAsking: false });
      if (!held.isAsking) this.#send(held);
    }
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
    const { stage } = held;
    const giveUp = () => {
      if (held.stage === stage) held.isAsking = false;
    };
    held.isAsking = true;
    underWay.send({
      giveUp,
      arrive: async () => {
        const next = await this.#ask(held, stage);
        if (luck.chance(0.1)) giveUp();
        // The response to a duplicate, or to something the job has given up since, changes nothing.
        else if (held.stage === stage) this.#resume(held, next);
      },
    });
  }

  /** The job's next stage; null: none. */
  async #ask(held: Held, stage: Stage): Promise<Stage | null> {
    const { storageKey, objectKey, bytes, task } = held;
    if (stage === "put") {
      if (this.#around.put(objectKey, task.job_id, bytes) === bytes) return "complete";
      held.taken = storageKey;
      return "reserve";
    }
    const result = await this.#around.takeReport(this.id, reportOf(held, stage));
    if (result?.outcome !== "accepted" || stage === "complete" || stage === "return") return null;
    if (stage === "publish") return "put";
    held.storageKey = result.key?.storage_key ?? null;
    held.objectKey = result.key?.object_key ?? "";
    return "publish";
  }

  #resume(held: Held, next: Stage | null): void {
    if (next === null) this.#held.delete(keyOf(held.task));
    else Object.assign(held, { stage: next, isAsking: false });
  }
}

function newHeld(task: Task, luck: Luck): Held {
  const bytes = luck.chance(0.5) ? 2000 : 1000;
  return { task, stage: "reserve", isAsking: false, bytes, storageKey: null, objectKey: "", taken: null };
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

function reportOf({ task, bytes, taken }: Held, stage: Exclude<Stage, "put">): Report {
  const { account_id, job_id, claim } = task;
  const claimed = { account_id, job_id, claim };
  switch (stage) {
    case "reserve":
      return { ...claimed, kind: "reserve_key", title: "Talk", extension: "mp4", taken, sidecars: [] };
    case "publish":
      return { ...claimed, kind: "publish", facts: { ...facts, file_size: bytes } };
    case "complete":
      return { ...claimed, kind: "completed", timings };
    case "return":
      return { ...claimed, kind: "returned" };
  }
}
