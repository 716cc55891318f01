import { sql } from "drizzle-orm";
import type { JobState } from "../../../contracts/job-lifecycle.ts";
import type { Report, ReportAnswer, ReportRequest } from "../../../contracts/report.ts";
import type { TaskRequest } from "../../../contracts/task.ts";
import { wentBack } from "../../../contracts/went-back.ts";
import { NodeTable } from "../../../edge/cluster/node-table.ts";
import type { RememberedNodes } from "../../../edge/cluster/remembered-node.ts";
import { sweep } from "../../../edge/cluster/sweep.ts";
import { dispatchJobs } from "../../../edge/dispatch/dispatch-jobs.ts";
import { writeSteps } from "../../../edge/jobs/write-steps.store.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { lastDays } from "../../../edge/statistics/days.ts";
import { objectUrl } from "../../../edge/storage/object-url.ts";
import { transact } from "../../../edge/transact.ts";
import { type Luck, luckOf } from "../../simulator/random.ts";
import { brokenInvariants } from "../support/broken-invariants.ts";
import { memoryStorage } from "../support/memory-storage.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { makeShow } from "../support/show-batch.ts";
import { silentLog } from "../support/silent-log.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";
import { RequestsUnderWay } from "./requests-under-way.ts";
import { ScheduledNode } from "./scheduled-node.ts";

/** How the edge handles reports: normally, or without a fence, to see whether that is detected. */
export type TakeReports = (api: TestApi, request: ReportRequest) => Promise<ReportAnswer>;

export const takeReports: TakeReports = ({ dependencies }, request) => handleReports(dependencies, request);

interface Row extends Omit<JobState, "publishing"> {
  readonly id: string;
  readonly publishing: number;
  readonly transition: string;
  readonly storageKey: string | null;
  readonly bytes: number | null;
}

const faultySteps = 60;
/** Every job ends within its attempts. */
const calmSteps = 150;
const calmStepMs = 3000;
const webhookUrl = "https://client.example/";

/**
 * Runs one schedule on the edge's own code and a real database, with models of nodes and storage: requests and
 * responses are lost, duplicated, late and out of order, nodes die or continue next to their replacement, and the registry
 * loses its state. Everything but the ids follows from the seed. Returns the history of the jobs, one entry per change. Rejects
 * if something was lost or done twice.
 */
export async function runSchedule(seed: number, take: TakeReports = takeReports): Promise<string[]> {
  const schedule = await EdgeSchedule.open(luckOf(seed), take);
  for (let step = 0; step < faultySteps; step += 1) {
    await schedule.stepWithFaults();
    await schedule.expectSound();
  }
  await schedule.comeToRest();
  return schedule.history;
}

class EdgeSchedule {
  readonly history: string[] = [];
  readonly #api: TestApi;
  readonly #luck: Luck;
  readonly #take: TakeReports;
  readonly #storage = memoryStorage();
  readonly #underWay: RequestsUnderWay;
  /** The latest node at each address. */
  readonly #nodes: ScheduledNode[] = [];
  /** Nodes that were replaced but keep running. */
  #replaced: ScheduledNode[] = [];
  #table: NodeTable;
  #remembered: RememberedNodes = new Map();
  #lives = 0;
  #grants = 0;
  /** The state of the jobs' rows when everything was last checked. */
  #seen = "";
  readonly #states = new Map<string, JobState>();

  static async open(luck: Luck, take: TakeReports): Promise<EdgeSchedule> {
    const holder: { schedule?: EdgeSchedule } = {};
    const here = () => {
      if (holder.schedule === undefined) throw new Error("The schedule has not begun");
      return holder.schedule;
    };
    const api = await createTestApi({
      log: silentLog,
      fetch: (input, init) => here().#storage.fetch(input, init),
      ...quietCluster({
        noteDead: async (claims) => here().#table.noteDead(claims),
        jobsMoved: async () => undefined,
        grantSlots: async () => here().#table.grantSlots(api.clock.now),
        settleGrant: async (id, result) => here().#table.settleGrant(id, result, api.clock.now),
      }),
      processors: {
        sendTasks: (address, request) => here().#sendTasks(address, request),
        readShow: () => {
          throw new Error("These nodes read no shows");
        },
      },
    });
    const schedule = new EdgeSchedule(api, luck, take);
    holder.schedule = schedule;
    // What a broken schedule has left behind must not become part of this one.
    await transact(
      api.dependencies.database,
      ["jobs", "batches", "webhook_events", "left_files", "reserved_keys"].map(
        (table) => sql`DELETE FROM ${sql.identifier(table)}`,
      ),
    );
    const url = "https://media.example/a.mp4";
    await api.call("POST", "/jobs", { json: { url, webhook_url: webhookUrl } });
    await api.call("POST", "/jobs/bulk", { json: { jobs: [{ url }, { url }] } });
    await makeShow(api.dependencies, api.account.id, 2, webhookUrl);
    for (const name of ["a", "b"]) schedule.#nodes.push(schedule.#newNode(`http://${name}.example`));
    return schedule;
  }

  private constructor(api: TestApi, luck: Luck, take: TakeReports) {
    this.#api = api;
    this.#luck = luck;
    this.#take = take;
    this.#underWay = new RequestsUnderWay(luck);
    this.#table = this.#newTable();
  }

  async stepWithFaults(): Promise<void> {
    const { clock } = this.#api;
    const luck = this.#luck;
    clock.now += luck.whole(luck.chance(0.1) ? 20_000 : 1500);
    for (const node of [...this.#nodes, ...this.#replaced]) {
      if (luck.chance(0.5)) await node.beat();
      else if (luck.chance(0.2)) node.beatLate();
      if (luck.chance(0.5)) node.work();
    }
    for (let arriving = luck.whole(4); arriving > 0; arriving -= 1) await this.#underWay.deliverAny();
    if (luck.chance(0.1)) this.#underWay.loseAny();
    if (luck.chance(0.25)) await this.#sweep();
    if (luck.chance(0.3)) await dispatchJobs(this.#api.dependencies);
    if (luck.chance(0.03)) this.#table = this.#newTable();
    if (luck.chance(0.06)) this.#replaceNode(luck.whole(this.#nodes.length));
    if (luck.chance(0.02)) await this.#cancelOne();
  }

  /** The invariants of every moment. */
  async expectSound(): Promise<void> {
    const { account, clock, dependencies } = this.#api;
    const rows = await this.#rows();
    this.#expectForward(rows);
    const seen = rows.map(({ transition, storageKey }) => `${transition} ${storageKey}`).join();
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.history.push(rows.map(({ status, storageKey, bytes }) => `${status} ${storageKey} ${bytes}`).join());
    const [firstDay = ""] = lastDays(clock.now, 7);
    const broken = await brokenInvariants(dependencies.database, firstDay, account.id);
    if (broken.length > 0) throw new Error(`Broken: ${JSON.stringify(broken)}`);
    for (const [key, { id, bytes }] of this.#shownBy(rows)) {
      const { objects, writers } = this.#storage;
      if (writers.get(key) !== id || objects.get(key) !== String(bytes))
        throw new Error(`Job ${id} is Completed, and its file is not there`);
    }
  }

  /** Without further faults every job ends, and storage holds exactly what completed jobs show. */
  async comeToRest(): Promise<void> {
    const { clock, dependencies } = this.#api;
    this.#replaced = [];
    for (let step = 0; step < calmSteps && (await this.#unended()).length > 0; step += 1) {
      clock.now += calmStepMs;
      await this.#underWay.deliverAll();
      for (const node of this.#nodes) {
        await node.beat();
        node.work();
      }
      if (step % 2 !== 0) continue;
      await this.#sweep();
      await dispatchJobs(dependencies);
    }
    await this.#underWay.deliverAll();
    await this.expectSound();
    const unended = await this.#unended();
    if (unended.length > 0) throw new Error(`Jobs never end: ${JSON.stringify(unended)}`);
    // Orphaned files are deleted after a delay, and checked for once more.
    for (const waitMs of [31_000, 21 * 60_000, 21 * 60_000]) {
      clock.now += waitMs;
      await this.#sweep();
    }
    const shown = this.#shownBy(await this.#rows());
    const stray = [...this.#storage.objects.keys()].filter((key) => !shown.has(key));
    if (stray.length > 0) throw new Error(`Files that no job shows: ${stray.join(", ")}`);
  }

  #newNode(address: string): ScheduledNode {
    this.#lives += 1;
    const around = {
      clock: this.#api.clock,
      luck: this.#luck,
      underWay: this.#underWay,
      hearHeartbeat: async (heartbeat: Parameters<NodeTable["hear"]>[0]) => {
        const { cancel, steps } = this.#table.hear(heartbeat, this.#api.clock.now);
        if (steps.length > 0) await writeSteps(this.#api.dependencies, steps);
        this.#table.stepsWritten(steps);
        return cancel;
      },
      takeReport: (node_id: string, report: Report, free_slots: number) =>
        this.#take(this.#api, { node_id, free_slots, reports: [report] }),
      put: (objectKey: string, jobId: string, bytes: number) => this.#put(objectKey, jobId, bytes),
    };
    return new ScheduledNode(around, `node-${this.#lives}`, address);
  }

  /** The process dies, with its requests still in flight; or it keeps running next to the new one at its address. */
  #replaceNode(index: number): void {
    const former = this.#nodes[index];
    if (former === undefined) return;
    this.#nodes[index] = this.#newNode(former.address);
    if (this.#luck.chance(0.5)) this.#replaced.push(former);
  }

  #sendTasks(address: string, request: TaskRequest) {
    const node = this.#nodes.find((one) => one.address === address);
    if (node === undefined) throw new Error(`Nobody is at ${address}`);
    return node.takeTasks(request);
  }

  #put(objectKey: string, jobId: string, bytes: number): number {
    const key = this.#urlOf(objectKey);
    const { objects, writers } = this.#storage;
    if (!objects.has(key)) {
      objects.set(key, String(bytes));
      writers.set(key, jobId);
    }
    return Number(objects.get(key));
  }

  async #sweep(): Promise<void> {
    await sweep(this.#api.dependencies, this.#table, {
      read: async () => this.#remembered,
      write: async (nodes) => void (this.#remembered = nodes),
    });
  }

  async #cancelOne(): Promise<void> {
    const rows = await this.#rows();
    const row = rows[this.#luck.whole(rows.length)];
    if (row !== undefined) await this.#api.call("POST", `/jobs/${row.id}/cancel`);
  }

  #expectForward(rows: readonly Row[]): void {
    for (const { id, ...row } of rows) {
      const state: JobState = { ...row, publishing: row.publishing === 1 };
      const problem = wentBack(this.#states.get(id) ?? state, state);
      if (problem !== null) throw new Error(`Of job ${id} ${problem}`);
      this.#states.set(id, state);
    }
  }

  #rows(): Promise<Row[]> {
    const { account, dependencies } = this.#api;
    return dependencies.database.all<Row>(
      sql`SELECT id, status, step, claim, interruptions, publishing, transition, storage_key AS storageKey, file_size AS bytes FROM jobs
        WHERE account_id = ${account.id} ORDER BY id`,
    );
  }

  async #unended(): Promise<Row[]> {
    return (await this.#rows()).filter(({ status }) => status === "Pending" || status === "Processing");
  }

  /** The URLs of the files shown by completed jobs, each with its job. */
  #shownBy(rows: readonly Row[]): Map<string, Row> {
    const completed = rows.filter(({ status }) => status === "Completed");
    return new Map(
      completed.map((row) => [this.#urlOf(`${this.#api.account.id}/${row.id}/${row.storageKey}`), row]),
    );
  }

  #urlOf(objectKey: string): string {
    return objectUrl(this.#api.dependencies.settings.managedStorage, objectKey).href;
  }

  #newTable(): NodeTable {
    return new NodeTable(() => `grant-${(this.#grants += 1)}`);
  }
}
