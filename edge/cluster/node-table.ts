import type { HeldJob, Heartbeat, NodeFacts } from "../../contracts/heartbeat.ts";
import type { WorkingStep } from "../../contracts/job-status.ts";
import {
  clusterWindowMs,
  grantLifetimeMs,
  missingAfterHeartbeats,
  missingAfterMs,
  nodeLostAfterMs,
  nodeQuietAfterMs,
} from "../../contracts/limits.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import type { NodeSeen } from "../containers/container-life.ts";
import { type LiveState, liveStateOf } from "./job-news.ts";

/** Slots of a node that are reserved for one dispatcher until it settles the grant or the grant expires. */
export interface SlotGrant {
  readonly id: string;
  readonly nodeId: string;
  readonly address: string;
  readonly slots: number;
}

/** A running job, as its row describes it. */
export interface JobInWork {
  readonly accountId: string;
  readonly jobId: string;
  readonly claim: number;
  readonly nodeId: string;
  readonly claimedAt: number;
  readonly startedAt: number;
}

export interface HeldClaim extends ClaimedJob {
  readonly nodeId: string;
}

/** A held job whose step is not in its row yet. */
export interface StepChange {
  readonly nodeId: string;
  readonly accountId: string;
  readonly jobId: string;
  readonly claim: number;
  readonly step: HeldJob["step"];
}

/** The answer to a heartbeat, and what the heartbeat means for others. */
interface Heard {
  readonly cancel: ClaimedJob[];
  readonly joined: boolean;
  readonly replaced: boolean;
  readonly steps: StepChange[];
}

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

interface Node {
  readonly id: string;
  readonly hostname: string;
  address: string;
  isDraining: boolean;
  facts: NodeFacts | null;
  sequence: number;
  heardAt: number;
  freeSlots: number;
  jobs: Map<string, HeldJob>;
  /** Claims to stop, by job id, sent with the answer to the next heartbeat. */
  readonly cancel: Map<string, ClaimedJob>;
  /** For each running job, the latest claim with which the node has ever listed it. */
  readonly listed: Map<string, number>;
  /**
   * For each job the node should hold but does not list: the heartbeat sequence number at which this was first noticed.
   */
  readonly missingSince: Map<string, number>;
  /** Consecutive failed deliveries; each doubles the pause before the next grant. */
  failures: number;
  pausedUntil: number;
  readonly grants: Map<string, { readonly slots: number; readonly expiresAt: number }>;
}

/** Few enough that a short queue is spread over several nodes, and enough that a long one takes few rounds. */
const slotsPerGrantMax = 4;
const pauseMaxMs = 30_000;
const forgottenAfterMs = 5 * 60_000;

/**
 * What the registry remembers about nodes: in memory only, rebuilt from heartbeats. Times are the edge's clock in ms.
 */
export class NodeTable {
  readonly #nodes = new Map<string, Node>();
  readonly #writtenSteps = new Map<string, string>();
  readonly #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /**
   * Processes a heartbeat. `joined`: it brought free slots that were unknown before, or no longer given to anyone.
   * `replaced`: the process is new, and the jobs of the previous process at its address are lost.
   */
  hear(heartbeat: Heartbeat, now: number): Heard {
    let node = this.#nodes.get(heartbeat.node_id);
    let replaced = false;
    if (node === undefined) {
      replaced = this.#endFormerProcess(heartbeat.address, now);
      node = newNode(heartbeat);
      this.#nodes.set(node.id, node);
    } else if (heartbeat.sequence <= node.sequence) {
      return { cancel: [], joined: false, replaced, steps: [] };
    }
    const wasFull = node.freeSlots === 0;
    const wasQuiet = isQuiet(node, now);
    node.sequence = heartbeat.sequence;
    node.address = heartbeat.address;
    node.isDraining = heartbeat.draining;
    node.facts = heartbeat.facts ?? null;
    node.heardAt = now;
    node.jobs = new Map(heartbeat.jobs.map((job) => [job.job_id, job]));
    for (const { job_id, claim } of heartbeat.jobs) node.listed.set(job_id, claim);
    node.freeSlots = heartbeat.draining ? 0 : Math.max(0, heartbeat.free_slots - promisedSlots(node, now));
    const cancel = [...node.cancel.values()];
    node.cancel.clear();
    const joined = node.freeSlots > 0 && (wasFull || wasQuiet);
    return { cancel, joined, replaced, steps: this.#unwrittenSteps(node) };
  }

  /** Marks steps as written to their rows, so that the next heartbeat does not write them again. */
  stepsWritten(steps: readonly StepChange[]): void {
    for (const change of steps) this.#writtenSteps.set(change.jobId, stepText(change));
  }

  /**
   * Reserves free slots of nodes that are being heard, a few per node at most; nodes with the most free slots first,
   * nodes that recently failed last. A node that has fallen silent gets none: a job sent to a node that has just died
   * waits until the node counts as lost, and is then interrupted.
   */
  grantSlots(now: number): SlotGrant[] {
    const grants: SlotGrant[] = [];
    const inOrder = (a: Node, b: Node) => a.failures - b.failures || b.freeSlots - a.freeSlots;
    for (const node of [...this.#nodes.values()].sort(inOrder)) {
      if (isQuiet(node, now) || now < node.pausedUntil) continue;
      const slots = Math.min(node.freeSlots, slotsPerGrantMax);
      if (slots === 0) continue;
      const id = this.#newId();
      node.freeSlots -= slots;
      node.grants.set(id, { slots, expiresAt: now + grantLifetimeMs });
      grants.push({ id, nodeId: node.id, address: node.address, slots });
    }
    return grants;
  }

  /**
   * Ends a grant; unused slots are free again. A node that did not answer, or took nothing of what it was sent, pauses,
   * longer each time until it takes something. `answered` is also false if it refused only some; then its next
   * heartbeat says how many slots it has.
   */
  settleGrant(grantId: string, result: { used: number; answered: boolean }, now: number): void {
    for (const node of this.#nodes.values()) {
      const grant = node.grants.get(grantId);
      if (grant === undefined) continue;
      node.grants.delete(grantId);
      if (result.used > 0) node.failures = 0;
      node.freeSlots = result.answered ? node.freeSlots + grant.slots - result.used : 0;
      if (!result.answered && result.used === 0) {
        node.failures += 1;
        node.pausedUntil = now + Math.min(1000 * 2 ** (node.failures - 1), pauseMaxMs);
      }
    }
  }

  /** What the holder of this claim last reported; a node with an earlier claim may still list the job. */
  liveState(jobId: string, claim: number): LiveState | null {
    for (const { sequence, jobs } of this.#nodes.values()) {
      const held = jobs.get(jobId);
      if (held?.claim === claim) return liveStateOf(held, sequence);
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
        if (node.jobs.get(job_id)?.claim === claim) node.cancel.set(job_id, { account_id, job_id, claim });
      }
    }
  }

  /** How many jobs are at each step, each counted once, on the nodes heard from within the cluster's window. */
  countSteps(now: number): Record<WorkingStep, number> {
    const latest = new Map<string, HeldJob>();
    for (const node of this.#nodes.values()) {
      if (now - node.heardAt > clusterWindowMs) continue;
      for (const job of node.jobs.values()) {
        if (job.claim >= (latest.get(job.job_id)?.claim ?? 0)) latest.set(job.job_id, job);
      }
    }
    const counts: Record<WorkingStep, number> = { Downloading: 0, Muxing: 0, Uploading: 0 };
    for (const { step } of latest.values()) counts[step] += 1;
    return counts;
  }

  /** The addresses of live nodes, those with the fewest jobs first. */
  liveAddresses(now: number): string[] {
    return this.describe(now).map(({ address }) => address);
  }

  /** The live nodes, those with the fewest jobs first. */
  describe(now: number): LiveNode[] {
    return [...this.#nodes.values()]
      .filter((node) => isLive(node, now))
      .sort((a, b) => a.jobs.size - b.jobs.size)
      .map(({ id, hostname, address, heardAt, isDraining, jobs, facts }) => ({
        id,
        hostname,
        address,
        silentMs: now - heardAt,
        isDraining,
        jobs: jobs.size,
        facts,
      }));
  }

  /** What is known about the node at an address. */
  nodeAt(address: string, now: number): NodeSeen {
    const node = [...this.#nodes.values()].find((other) => other.address === address && isLive(other, now));
    return { isLive: node !== undefined, jobs: node?.jobs.size ?? 0 };
  }

  hasLiveNodes(now: number): boolean {
    return [...this.#nodes.values()].some((node) => isLive(node, now));
  }

  hasFreeSlots(now: number): boolean {
    return [...this.#nodes.values()].some((node) => !isQuiet(node, now) && node.freeSlots > 0);
  }

  /** The claims that nodes hold. Take them before reading the rows for `compare`. */
  heldClaims(): HeldClaim[] {
    return [...this.#nodes.values()].flatMap((node) =>
      [...node.jobs.values()].map(({ account_id, job_id, claim }) => ({
        nodeId: node.id,
        account_id,
        job_id,
        claim,
      })),
    );
  }

  /**
   * Compares the running jobs according to the rows with what the nodes hold, and notes which of the claims held before
   * the rows were read are dead. `lost`: the node is silent, whether or not it has ever listed the job, which may be what
   * killed it; or it is alive and no longer has the job. `undelivered`: the node has never listed the job, and is alive,
   * or took no more tasks when it was last heard; after a loss of memory this includes jobs that a node no longer has.
   * `unknown`: memory has no record of the node.
   */
  compare(
    rows: readonly JobInWork[],
    held: readonly HeldClaim[],
    now: number,
  ): { lost: JobInWork[]; undelivered: JobInWork[]; unknown: JobInWork[] } {
    const lost: JobInWork[] = [];
    const undelivered: JobInWork[] = [];
    const unknown: JobInWork[] = [];
    for (const row of rows) {
      const node = this.#nodes.get(row.nodeId);
      if (node === undefined) unknown.push(row);
      else if (!isLive(node, now)) (mayHaveTaken(node, row) ? lost : undelivered).push(row);
      else if (isMissing(node, row, now)) (hasListed(node, row) ? lost : undelivered).push(row);
    }
    this.#noteDeadClaims(rows, held);
    this.#forget(rows, now);
    return { lost, undelivered, unknown };
  }

  /** True where one was live. */
  #endFormerProcess(address: string, now: number): boolean {
    const former = [...this.#nodes.values()].filter((node) => node.address === address);
    const wasLive = former.some((node) => isLive(node, now));
    for (const node of former) node.heardAt = Number.NEGATIVE_INFINITY;
    return wasLive;
  }

  #unwrittenSteps(node: Node): StepChange[] {
    return [...node.jobs.values()]
      .map(({ account_id, job_id, claim, step }): StepChange => ({
        nodeId: node.id,
        accountId: account_id,
        jobId: job_id,
        claim,
        step,
      }))
      .filter((change) => this.#writtenSteps.get(change.jobId) !== stepText(change));
  }

  #noteDeadClaims(rows: readonly JobInWork[], held: readonly HeldClaim[]): void {
    const alive = new Map(rows.map((row) => [row.jobId, row]));
    for (const { nodeId, ...claimed } of held) {
      const current = alive.get(claimed.job_id);
      if (current !== undefined && isHeldBy(current, nodeId, claimed.claim)) continue;
      this.#nodes.get(nodeId)?.cancel.set(claimed.job_id, claimed);
    }
  }

  #forget(rows: readonly JobInWork[], now: number): void {
    const inWork = new Set(rows.map(({ jobId }) => jobId));
    for (const jobId of this.#writtenSteps.keys()) {
      if (!inWork.has(jobId)) this.#writtenSteps.delete(jobId);
    }
    const owed = new Set(rows.map(({ nodeId }) => nodeId));
    for (const node of this.#nodes.values()) {
      for (const memory of [node.listed, node.missingSince])
        for (const jobId of memory.keys()) if (!inWork.has(jobId)) memory.delete(jobId);
      if (now - node.heardAt > forgottenAfterMs && !owed.has(node.id)) this.#nodes.delete(node.id);
    }
  }
}

function newNode(heartbeat: Heartbeat): Node {
  return {
    id: heartbeat.node_id,
    hostname: heartbeat.hostname,
    address: heartbeat.address,
    isDraining: heartbeat.draining,
    facts: null,
    sequence: heartbeat.sequence,
    heardAt: Number.NEGATIVE_INFINITY,
    freeSlots: 0,
    jobs: new Map(),
    cancel: new Map(),
    listed: new Map(),
    missingSince: new Map(),
    failures: 0,
    pausedUntil: 0,
    grants: new Map(),
  };
}

function stepText({ nodeId, claim, step }: StepChange): string {
  return `${nodeId} ${claim} ${step}`;
}

/** True for the node of the row's own claim, and for one with a later claim than the row had when it was read. */
function isHeldBy(row: JobInWork, nodeId: string, claim: number): boolean {
  return claim > row.claim || (claim === row.claim && nodeId === row.nodeId);
}

function isLive(node: Node, now: number): boolean {
  return now - node.heardAt < nodeLostAfterMs;
}

function isQuiet(node: Node, now: number): boolean {
  return now - node.heardAt >= nodeQuietAfterMs;
}

function promisedSlots(node: Node, now: number): number {
  let slots = 0;
  for (const [id, grant] of node.grants) {
    if (grant.expiresAt <= now) node.grants.delete(id);
    else slots += grant.slots;
  }
  return slots;
}

function hasListed(node: Node, { jobId, claim }: JobInWork): boolean {
  return node.listed.get(jobId) === claim;
}

/** A node killed by a job may die before it lists the job, or answers for it. */
function mayHaveTaken(node: Node, row: JobInWork): boolean {
  return hasListed(node, row) || !node.isDraining;
}

/** True if a live node has not listed the job in several heartbeats, and it was claimed long enough ago. */
function isMissing(node: Node, row: JobInWork, now: number): boolean {
  const held = node.jobs.get(row.jobId);
  if (held !== undefined && held.claim >= row.claim) {
    node.missingSince.delete(row.jobId);
    return false;
  }
  if (now - row.claimedAt < missingAfterMs) return false;
  const since = node.missingSince.get(row.jobId) ?? node.sequence;
  node.missingSince.set(row.jobId, since);
  const isGone = node.sequence - since >= missingAfterHeartbeats;
  if (isGone) node.missingSince.delete(row.jobId);
  return isGone;
}
