import { DurableObject } from "cloudflare:workers";
import type { Heartbeat, HeartbeatAnswer } from "../../contracts/heartbeat.ts";
import type { WorkingStep } from "../../contracts/job-status.ts";
import { sweepIntervalMs } from "../../contracts/limits.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import { containerName } from "../containers/container-address.ts";
import type { NodeSeen } from "../containers/container-life.ts";
import { containerToWake } from "../containers/container-to-wake.ts";
import { type Dependencies, dependenciesOf, type Env } from "../dependencies.ts";
import { sendWakeUp } from "../dispatch/wake-up.ts";
import { writeSteps } from "../jobs/write-steps.store.ts";
import { errorFields } from "../log.ts";
import type { LiveNode } from "./cluster-node.ts";
import { type LiveState, liveStateOf } from "./job-news.ts";
import { JobWatchers } from "./job-watchers.ts";
import type { GrantResult, SlotGrant } from "./node-slots.ts";
import { NodeTable } from "./node-table.ts";
import type { RememberedNodes } from "./remembered-node.ts";
import { sweep } from "./sweep.ts";
import type { StepChange } from "./written-steps.ts";

const nodesKey = "remembered_nodes";
const cronKey = "cron_at";

/**
 * The cluster's live nodes, and the sweep's only alarm. It is not a source of truth: its memory is built from
 * heartbeats and may vanish at any time, which costs the wait for the next heartbeat.
 */
export class NodeRegistry extends DurableObject<Env> {
  /** Public only to this object's methods: properties cannot be reached over RPC. */
  readonly watchers = new JobWatchers();
  readonly #dependencies: Dependencies;
  readonly #nodes: NodeTable;
  /** When each container was last woken. Lost with this object's memory, in which case one too many may be woken. */
  readonly #containersWokenAt = new Map<string, number>();
  #alarmIsSet = false;
  #sweptAt: number | null = null;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.#dependencies = dependenciesOf(env);
    this.#nodes = new NodeTable(this.#dependencies.newId);
  }

  async heartbeat(heartbeat: Heartbeat): Promise<HeartbeatAnswer> {
    await this.#armSweep();
    const { cancel, joined, replaced, steps } = this.#nodes.hear(heartbeat, this.#dependencies.clock());
    if (replaced) await this.#sweepNow();
    for (const job of heartbeat.jobs) this.watchers.tell(job.job_id, liveStateOf(job, heartbeat.sequence));
    if (joined) await sendWakeUp(this.#dependencies, "node_joined");
    await this.#writeSteps(steps);
    return { cancel };
  }

  async grantSlots(): Promise<SlotGrant[]> {
    await this.#armSweep();
    return this.#nodes.grantSlots(this.#dependencies.clock());
  }

  settleGrant(grantId: string, result: GrantResult): void {
    this.#nodes.settleGrant(grantId, result, this.#dependencies.clock());
  }

  liveState(jobId: string, claim: number): LiveState | null {
    return this.#nodes.liveState(jobId, claim);
  }

  /** News of a job as lines of JSON (JobNews), until the watcher leaves or this object's memory is lost. */
  watchJob(jobId: string, watcherId: string): ReadableStream<Uint8Array> {
    return this.watchers.watch(jobId, watcherId);
  }

  leaveJob(jobId: string, watcherId: string): void {
    this.watchers.leave(jobId, watcherId);
  }

  /** Tells watchers that the jobs' rows have changed. */
  jobsMoved(jobIds: readonly string[]): void {
    for (const jobId of jobIds) this.watchers.tell(jobId, { kind: "moved" });
  }

  /** Tells the nodes that hold these claims to stop, in the answer to their next heartbeat. */
  noteDead(claims: readonly ClaimedJob[]): void {
    this.#nodes.noteDead(claims);
  }

  /**
   * Addresses of live nodes that can read a show, least busy first; reading one takes no slot. If there are none, wakes
   * a container.
   */
  async liveNodes(): Promise<string[]> {
    const addresses = this.#nodes.liveAddresses(this.#dependencies.clock());
    if (addresses.length === 0) await this.wakeContainer();
    return addresses;
  }

  nodeAt(address: string): NodeSeen {
    return this.#nodes.nodeAt(address, this.#dependencies.clock());
  }

  /** Wakes one more container, unless one is already starting or the limit is reached. */
  async wakeContainer(): Promise<void> {
    const { clock, settings, wakeContainer, log } = this.#dependencies;
    const now = clock();
    const live = new Set(this.#nodes.liveAddresses(now).flatMap((address) => containerName(address) ?? []));
    const name = containerToWake(settings.containersMax, live, this.#containersWokenAt, now);
    if (name === null) return;
    this.#containersWokenAt.set(name, now);
    try {
      await wakeContainer(name);
    } catch (error) {
      log.error("A container could not be woken", { container: name, ...errorFields(error) });
    }
  }

  clusterCounts(): Record<WorkingStep, number> {
    return this.#nodes.countSteps(this.#dependencies.clock());
  }

  /** The live nodes, and when the sweep and cron last ran: milliseconds since the epoch, null if unknown. */
  async describeCluster(): Promise<{ nodes: LiveNode[]; sweptAt: number | null; cronAt: number | null }> {
    return {
      nodes: this.#nodes.describe(this.#dependencies.clock()),
      sweptAt: this.#sweptAt,
      cronAt: (await this.ctx.storage.get<number>(cronKey)) ?? null,
    };
  }

  /** Called by cron, in case the alarm is ever lost. */
  async armSweep(): Promise<void> {
    await this.#armSweep();
    await this.ctx.storage.put(cronKey, this.#dependencies.clock());
  }

  override async alarm(): Promise<void> {
    let again = true;
    const dependencies = dependenciesOf(this.env);
    this.watchers.touch();
    try {
      const { unfinished, starved } = await sweep(dependencies, this.#nodes, {
        read: async () => (await this.ctx.storage.get<RememberedNodes>(nodesKey)) ?? new Map(),
        write: async (nodes) => {
          await this.ctx.storage.put(nodesKey, nodes);
        },
      });
      this.#sweptAt = dependencies.clock();
      if (starved) await this.wakeContainer();
      again = unfinished || this.#nodes.hasLiveNodes(dependencies.clock());
    } catch (error) {
      // The platform gives up on an alarm that keeps throwing; instead, the next alarm is the retry.
      dependencies.log.error("A sweep failed", errorFields(error));
    } finally {
      this.#alarmIsSet = again;
      if (again) await this.ctx.storage.setAlarm(dependencies.clock() + sweepIntervalMs);
    }
  }

  async #armSweep(): Promise<void> {
    if (this.#alarmIsSet) return;
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(this.#dependencies.clock() + sweepIntervalMs);
    // Only now: if storage fails, the next heartbeat tries again.
    this.#alarmIsSet = true;
  }

  /** The jobs of a process that has ended wait no longer than they must. */
  async #sweepNow(): Promise<void> {
    this.#alarmIsSet = true;
    await this.ctx.storage.setAlarm(this.#dependencies.clock());
  }

  async #writeSteps(steps: readonly StepChange[]): Promise<void> {
    if (steps.length === 0) return;
    try {
      await writeSteps(this.#dependencies, steps);
      this.#nodes.stepsWritten(steps);
    } catch (error) {
      // The next heartbeat reports them again.
      this.#dependencies.log.warn("Steps could not be written", errorFields(error));
    }
  }
}
