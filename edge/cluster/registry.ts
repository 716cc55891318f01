import type { Heartbeat, HeartbeatAnswer } from "../../contracts/heartbeat.ts";
import type { WorkingStep } from "../../contracts/job-status.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import type { NodeSeen } from "../containers/container-life.ts";
import type { LiveNode } from "./cluster-node.ts";
import type { LiveState } from "./job-news.ts";
import type { GrantResult, SlotGrant } from "./node-slots.ts";

/** What the rest of the edge asks of the registry of live nodes: of its object's stub, or of the object itself. */
export interface Registry {
  heartbeat(heartbeat: Heartbeat): Promise<HeartbeatAnswer>;
  grantSlots(): Promise<SlotGrant[]>;
  settleGrant(grantId: string, result: GrantResult): Promise<void>;
  liveState(jobId: string, claim: number): Promise<LiveState | null>;
  /** News of a job as lines of JSON (JobNews), until the watcher leaves or the object's memory is lost. */
  watchJob(jobId: string, watcherId: string): Promise<ReadableStream<Uint8Array>>;
  leaveJob(jobId: string, watcherId: string): Promise<void>;
  /** Tells watchers that the jobs' rows have changed. */
  jobsMoved(jobIds: readonly string[]): Promise<void>;
  /** Tells the nodes that hold these claims to stop, in the answer to their next heartbeat. */
  noteDead(claims: readonly ClaimedJob[]): Promise<void>;
  /**
   * Addresses of live nodes that can read a show, least busy first; reading one takes no slot. If there are none, wakes
   * a container.
   */
  liveNodes(): Promise<string[]>;
  nodeAt(address: string): Promise<NodeSeen>;
  /** Wakes one more container, unless one is already starting or the limit is reached. */
  wakeContainer(): Promise<void>;
  clusterCounts(): Promise<Record<WorkingStep, number>>;
  /** The live nodes, and when the sweep and cron last ran: milliseconds since the epoch, null if unknown. */
  describeCluster(): Promise<{ nodes: LiveNode[]; sweptAt: number | null; cronAt: number | null }>;
  /** Called by cron, in case the alarm is ever lost. */
  armSweep(): Promise<void>;
}
