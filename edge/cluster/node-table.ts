import type { Heartbeat } from "../../contracts/heartbeat.ts";
import type { WorkingStep } from "../../contracts/job-status.ts";
import { clusterWindowMs } from "../../contracts/limits.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import type { NodeSeen } from "../containers/container-life.ts";
import { ClusterNode, type LiveNode } from "./cluster-node.ts";
import { countSteps } from "./count-steps.ts";
import { deadClaims, type HeldClaim } from "./dead-claims.ts";
import type { JobInWork } from "./job-in-work.ts";
import { type LiveState, liveStateOf } from "./job-news.ts";
import type { GrantResult, SlotGrant } from "./node-slots.ts";
import {
  isMissedForGood,
  missed,
  type MissedNode,
  type RememberedNode,
  type RememberedNodes,
} from "./remembered-node.ts";
import { type StepChange, WrittenSteps } from "./written-steps.ts";

/** The answer to a heartbeat, and what the heartbeat means for others. */
interface Heard {
  readonly cancel: ClaimedJob[];
  readonly joined: boolean;
  readonly replaced: boolean;
  readonly steps: StepChange[];
}

/** The running jobs, by where they are; `held`: with their nodes, as far as is known. */
type WhereJobsAre = Record<"held" | "lost" | "undelivered", JobInWork[]>;

const forgottenAfterMs = 5 * 60_000;

/**
 * What the registry remembers about nodes: in memory only, rebuilt from heartbeats. Times are the edge's clock in ms.
 */
export class NodeTable {
  readonly #nodes = new Map<string, ClusterNode>();
  readonly #writtenSteps = new WrittenSteps();
  readonly #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /**
   * Processes a heartbeat. `joined`: it brought free slots that were unknown before, or no longer given to anyone.
   * `replaced`: the process is new, and the jobs of the previous process at its address are lost.
   */
  hear(heartbeat: Heartbeat, now: number): Heard {
    const known = this.#nodes.get(heartbeat.node_id);
    const replaced = known === undefined && this.#endFormerProcess(heartbeat.address, now);
    const node = known ?? new ClusterNode(heartbeat);
    this.#nodes.set(node.id, node);
    const heard = node.hear(heartbeat, now);
    if (heard === null) return { cancel: [], joined: false, replaced, steps: [] };
    return { ...heard, replaced, steps: this.#writtenSteps.unwritten(node.id, node.jobs.all()) };
  }

  /** Marks steps as written to their rows, so that the next heartbeat does not write them again. */
  stepsWritten(steps: readonly StepChange[]): void {
    this.#writtenSteps.note(steps);
  }

  /**
   * Reserves free slots of nodes that are being heard, a few per node at most; nodes with the most free slots first,
   * nodes that recently failed last. A node that has fallen silent gets none: a job sent to a node that has just died
   * waits until the node counts as lost, and is then interrupted.
   */
  grantSlots(now: number): SlotGrant[] {
    return this.#all()
      .sort(({ slots: a }, { slots: b }) => a.failures - b.failures || b.free - a.free)
      .flatMap((node) => {
        const grant = node.isQuiet(now) ? null : node.slots.grant(this.#newId, now);
        return grant === null
          ? []
          : [{ ...grant, nodeId: node.id, address: node.address, signsAnswers: node.signsAnswers }];
      });
  }

  /** Ends a grant. A node that failed it pauses; see NodeSlots. */
  settleGrant(grantId: string, result: GrantResult, now: number): void {
    for (const { slots } of this.#nodes.values()) slots.settle(grantId, result, now);
  }

  /** What the holder of this claim last reported; a node with an earlier claim may still list the job. */
  liveState(jobId: string, claim: number): LiveState | null {
    for (const { jobs } of this.#nodes.values()) {
      const held = jobs.find(jobId, claim);
      if (held !== null) return liveStateOf(held, jobs.sequence);
    }
    return null;
  }

  /**
   * Records claims that have ended elsewhere, for the nodes that list them. A node that does not list its job yet is
   * told after the next sweep.
   */
  noteDead(claims: readonly ClaimedJob[]): void {
    for (const { account_id, job_id, claim } of claims) {
      for (const node of this.#nodes.values()) {
        if (node.jobs.find(job_id, claim) !== null) node.stop({ account_id, job_id, claim });
      }
    }
  }

  /** How many jobs are at each step, each counted once, on the nodes heard from within the cluster's window. */
  countSteps(now: number): Record<WorkingStep, number> {
    const heard = this.#all().filter((node) => node.silentMs(now) <= clusterWindowMs);
    return countSteps(heard.flatMap(({ jobs }) => jobs.all()));
  }

  /** The addresses of live nodes, those with the fewest jobs first. */
  liveAddresses(now: number): string[] {
    return this.describe(now).map(({ address }) => address);
  }

  /** The live nodes, those with the fewest jobs first. */
  describe(now: number): LiveNode[] {
    return this.#all()
      .filter((node) => node.isLive(now))
      .map((node) => node.describe(now))
      .sort((a, b) => a.jobs - b.jobs);
  }

  /** What is known about the node at an address. */
  nodeAt(address: string, now: number): NodeSeen {
    const node = this.#all().find((other) => other.address === address && other.isLive(now));
    return { isLive: node !== undefined, jobs: node?.jobs.count ?? 0 };
  }

  /** The slots of all live nodes, free or taken. */
  liveSlots(now: number): number {
    return this.#all().reduce((sum, node) => sum + (node.isLive(now) ? node.slotCount : 0), 0);
  }

  hasLiveNodes(now: number): boolean {
    return this.#all().some((node) => node.isLive(now));
  }

  hasFreeSlots(now: number): boolean {
    return this.#all().some((node) => !node.isQuiet(now) && node.slots.free > 0);
  }

  /** The claims that nodes hold. Take them before reading the rows for `compare`. */
  heldClaims(): HeldClaim[] {
    return this.#all().flatMap(({ id: nodeId, jobs }) =>
      jobs.all().map(({ account_id, job_id, claim }) => ({ nodeId, account_id, job_id, claim })),
    );
  }

  /**
   * Compares the running jobs according to the rows with what the nodes hold, and notes which of the claims held before
   * the rows were read are dead. What is known of jobs that no longer run is forgotten. `remembered`: what an earlier
   * call returned, perhaps in a memory that has been lost; the answer's replaces it.
   */
  compare(
    rows: readonly JobInWork[],
    held: readonly HeldClaim[],
    remembered: RememberedNodes,
    now: number,
  ): WhereJobsAre & { readonly remembered: RememberedNodes } {
    const found: WhereJobsAre = { held: [], lost: [], undelivered: [] };
    const next = new Map<string, RememberedNode>();
    for (const row of rows) {
      const node = this.#nodes.get(row.nodeId);
      if (node !== undefined) {
        found[node.whereIs(row, now)].push(row);
      } else {
        const record = missed(remembered.get(row.nodeId), now);
        next.set(row.nodeId, record);
        found[this.#isGone(record, now) ? "lost" : "held"].push(row);
      }
    }
    for (const { nodeId, ...claim } of deadClaims(held, rows)) this.#nodes.get(nodeId)?.stop(claim);
    this.#forget(rows, now);
    for (const node of this.#nodes.values()) next.set(node.id, node.remember(now));
    return { ...found, remembered: next };
  }

  /** Whether a process that memory does not know has ended: it is silent for too long, or another has its address. */
  #isGone(node: MissedNode, now: number): boolean {
    const isReplaced = node.address !== null && this.nodeAt(node.address, now).isLive;
    return isReplaced || isMissedForGood(node, now);
  }

  #all(): ClusterNode[] {
    return [...this.#nodes.values()];
  }

  /** True where one was live. */
  #endFormerProcess(address: string, now: number): boolean {
    const former = this.#all().filter((node) => node.address === address);
    const wasLive = former.some((node) => node.isLive(now));
    for (const node of former) node.end();
    return wasLive;
  }

  #forget(rows: readonly JobInWork[], now: number): void {
    const inWork = new Set(rows.map(({ jobId }) => jobId));
    const owed = new Set(rows.map(({ nodeId }) => nodeId));
    this.#writtenSteps.forgetAllBut(inWork);
    for (const node of this.#nodes.values()) {
      node.jobs.forgetAllBut(inWork);
      if (node.silentMs(now) > forgottenAfterMs && !owed.has(node.id)) this.#nodes.delete(node.id);
    }
  }
}
