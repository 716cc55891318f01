import type { Heartbeat, NodeFacts } from "../../contracts/heartbeat.ts";
import { nodeLostAfterMs, nodeQuietAfterMs } from "../../contracts/limits.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import type { JobInWork } from "./job-in-work.ts";
import { ListedJobs } from "./listed-jobs.ts";
import { NodeSlots } from "./node-slots.ts";
import type { RememberedNode } from "./remembered-node.ts";

/** A live node, as monitoring sees it. */
export interface LiveNode {
  readonly id: string;
  readonly hostname: string;
  readonly address: string;
  /** Milliseconds since its last heartbeat. */
  readonly silentMs: number;
  readonly isDraining: boolean;
  readonly jobs: number;
  readonly facts: NodeFacts | null;
}

/** One process of a node, as its heartbeats describe it. Times are the edge's clock in ms. */
export class ClusterNode {
  readonly id: string;
  readonly slots = new NodeSlots();
  readonly jobs = new ListedJobs();
  #latest: Heartbeat;
  #heardAt = Number.NEGATIVE_INFINITY;
  /** Claims to stop, by job id, sent with the answer to the next heartbeat. */
  readonly #stopping = new Map<string, ClaimedJob>();

  /** Nothing is known of it but its id and address until `hear` is given its first heartbeat. */
  constructor(first: Heartbeat) {
    this.id = first.node_id;
    this.#latest = first;
  }

  get address(): string {
    return this.#latest.address;
  }

  /**
   * Processes a heartbeat; null if it is no later than one heard before. `joined`: it brought free slots that were
   * unknown before, or no longer given to anyone. `cancel`: the claims to stop, told once.
   */
  hear(heartbeat: Heartbeat, now: number): { cancel: ClaimedJob[]; joined: boolean } | null {
    if (heartbeat.sequence <= this.jobs.sequence) return null;
    const gaveNothing = this.slots.free === 0 || this.isQuiet(now);
    this.#latest = heartbeat;
    this.#heardAt = now;
    this.jobs.hear(heartbeat);
    this.slots.hear(heartbeat.draining ? 0 : heartbeat.free_slots, now);
    const cancel = [...this.#stopping.values()];
    this.#stopping.clear();
    return { cancel, joined: this.slots.free > 0 && gaveNothing };
  }

  get signsAnswers(): boolean {
    return this.#latest.signs_answers ?? false;
  }

  /** The slots it has, free or taken, as it last said; of a draining node, those that are still taken. */
  get slotCount(): number {
    return this.jobs.count + (this.#latest.draining ? 0 : this.#latest.free_slots);
  }

  /** What is to outlive the registry's memory. */
  remember(now: number): RememberedNode {
    return {
      address: this.address,
      silentSince: this.isQuiet(now) ? this.#heardAt : null,
      missedSince: null,
    };
  }

  stop(claim: ClaimedJob): void {
    this.#stopping.set(claim.job_id, claim);
  }

  /** Another process has taken its place: from now on it counts as silent. */
  end(): void {
    this.#heardAt = Number.NEGATIVE_INFINITY;
  }

  silentMs(now: number): number {
    return now - this.#heardAt;
  }

  isQuiet(now: number): boolean {
    return this.silentMs(now) >= nodeQuietAfterMs;
  }

  isLive(now: number): boolean {
    return this.silentMs(now) < nodeLostAfterMs;
  }

  /**
   * Where a job is that was claimed for this node. `lost`: the node is silent, whether or not it has ever listed the
   * job, which may be what killed it; or it is alive and no longer has the job. `undelivered`: the node has never
   * listed the job, and is alive, or took no more tasks when it was last heard; after a loss of memory this includes
   * jobs that it no longer has.
   */
  whereIs(row: JobInWork, now: number): "held" | "lost" | "undelivered" {
    const wasHere = this.jobs.hasEverListed(row);
    if (!this.isLive(now)) return wasHere || !this.#latest.draining ? "lost" : "undelivered";
    if (!this.jobs.noteMissing(row, now)) return "held";
    return wasHere ? "lost" : "undelivered";
  }

  describe(now: number): LiveNode {
    const { hostname, address, draining, facts } = this.#latest;
    return {
      id: this.id,
      hostname,
      address,
      silentMs: this.silentMs(now),
      isDraining: draining,
      jobs: this.jobs.count,
      facts: facts ?? null,
    };
  }
}
