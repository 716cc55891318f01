import { DurableObject } from "cloudflare:workers";
import { v7 as uuidv7 } from "uuid";
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
import { writeLiveSlots } from "./live-slots.store.ts";
import type { GrantResult, SlotGrant } from "./node-slots.ts";
import { NodeTable } from "./node-table.ts";
import type { Registry } from "./registry.ts";
import type { RememberedNodes } from "./remembered-node.ts";
import { sweep } from "./sweep.ts";
import type { StepChange } from "./written-steps.ts";

const nodesKey = "remembered_nodes";
const cronKey = "cron_at";

/**
 * The cluster's live nodes, and the sweep's only alarm. It is not a source of truth: its memory is built from
 * heartbeats and may vanish at any time, which costs the wait for the next heartbeat.
 */
export class NodeRegistry extends DurableObject<Env> implements Registry {
  /** Public only to this object's methods: properties cannot be reached over RPC. */
  readonly watchers = new JobWatchers();
  readonly #nodes = new NodeTable(() => uuidv7());
  /** When each container was last woken. Lost with this object's memory, in which case one too many may be woken. */
  readonly #containersWokenAt = new Map<string, number>();
  #alarmIsSet = false;
  #sweptAt: number | null = null;
  #slotsWritten: number | null = null;

  async heartbeat(heartbeat: Heartbeat): Promise<HeartbeatAnswer> {
    const dependencies = this.#dependencies();
    await this.#armSweep(dependencies);
    const { cancel, joined, replaced, steps } = this.#nodes.hear(heartbeat, dependencies.clock());
    if (replaced) await this.#sweepNow(dependencies);
    for (const job of heartbeat.jobs) this.watchers.tell(job.job_id, liveStateOf(job, heartbeat.sequence));
    if (joined) {
      // First: those who are woken claim by it.
      await this.#writeSlots(dependencies);
      await sendWakeUp(dependencies, "node_joined");
    }
    await this.#writeSteps(dependencies, steps);
    return { cancel };
  }

  async grantSlots(): Promise<SlotGrant[]> {
    const dependencies = this.#dependencies();
    await this.#armSweep(dependencies);
    return this.#nodes.grantSlots(dependencies.clock());
  }

  async settleGrant(grantId: string, result: GrantResult): Promise<void> {
    this.#nodes.settleGrant(grantId, result, this.#dependencies().clock());
  }

  async liveState(jobId: string, claim: number): Promise<LiveState | null> {
    return this.#nodes.liveState(jobId, claim);
  }

  async watchJob(jobId: string, watcherId: string): Promise<ReadableStream<Uint8Array>> {
    return this.watchers.watch(jobId, watcherId);
  }

  async leaveJob(jobId: string, watcherId: string): Promise<void> {
    this.watchers.leave(jobId, watcherId);
  }

  async jobsMoved(jobIds: readonly string[]): Promise<void> {
    for (const jobId of jobIds) this.watchers.tell(jobId, { kind: "moved" });
  }

  async noteDead(claims: readonly ClaimedJob[]): Promise<void> {
    this.#nodes.noteDead(claims);
  }

  async liveNodes(): Promise<string[]> {
    const addresses = this.#nodes.liveAddresses(this.#dependencies().clock());
    if (addresses.length === 0) await this.wakeContainer();
    return addresses;
  }

  async nodeAt(address: string): Promise<NodeSeen> {
    return this.#nodes.nodeAt(address, this.#dependencies().clock());
  }

  async wakeContainer(): Promise<void> {
    const { clock, settings, wakeContainer, log } = this.#dependencies();
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

  async clusterCounts(): Promise<Record<WorkingStep, number>> {
    return this.#nodes.countSteps(this.#dependencies().clock());
  }

  async describeCluster(): Promise<{ nodes: LiveNode[]; sweptAt: number | null; cronAt: number | null }> {
    return {
      nodes: this.#nodes.describe(this.#dependencies().clock()),
      sweptAt: this.#sweptAt,
      cronAt: (await this.ctx.storage.get<number>(cronKey)) ?? null,
    };
  }

  async armSweep(): Promise<void> {
    const dependencies = this.#dependencies();
    await this.#armSweep(dependencies);
    await this.ctx.storage.put(cronKey, dependencies.clock());
  }

  override async alarm(): Promise<void> {
    let again = true;
    const dependencies = this.#dependencies();
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

  /** Of one call or alarm, with an id of its own in the log. What it tells the registry, it tells this object. */
  #dependencies(): Dependencies {
    return { ...dependenciesOf(this.env), registry: this };
  }

  async #armSweep({ clock }: Dependencies): Promise<void> {
    if (this.#alarmIsSet) return;
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(clock() + sweepIntervalMs);
    // Only now: if storage fails, the next heartbeat tries again.
    this.#alarmIsSet = true;
  }

  /** The jobs of a process that has ended wait no longer than they must. */
  async #sweepNow({ clock }: Dependencies): Promise<void> {
    this.#alarmIsSet = true;
    await this.ctx.storage.setAlarm(clock());
  }

  async #writeSteps(dependencies: Dependencies, steps: readonly StepChange[]): Promise<void> {
    if (steps.length === 0) return;
    try {
      await writeSteps(dependencies, steps);
      this.#nodes.stepsWritten(steps);
    } catch (error) {
      // The next heartbeat reports them again.
      dependencies.log.warn("Steps could not be written", errorFields(error));
    }
  }

  async #writeSlots(dependencies: Dependencies): Promise<void> {
    const slots = this.#nodes.liveSlots(dependencies.clock());
    if (slots === this.#slotsWritten) return;
    try {
      await writeLiveSlots(dependencies, slots);
      this.#slotsWritten = slots;
    } catch (error) {
      // The next sweep writes them.
      dependencies.log.warn("The number of slots could not be written", errorFields(error));
    }
  }
}
