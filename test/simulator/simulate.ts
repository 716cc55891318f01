import { decide, isEnded } from "../../contracts/job-lifecycle.ts";
import { interruptionsMax } from "../../contracts/limits.ts";
import { DatabaseModel, episodesAtOnce, type Rules, shownFiles, storedBytes } from "./database-model.ts";
import { EdgeModel } from "./edge-model.ts";
import { NodeModel } from "./node-model.ts";
import { luckOf } from "./random.ts";
import { StorageModel } from "./storage-model.ts";
import { World } from "./world.ts";

/** The result of one schedule. */
export interface Outcome {
  readonly seed: number;
  /** The violated invariant, and when; null: all held. */
  readonly problem: string | null;
  readonly completed: number;
  readonly failed: number;
  readonly faults: number;
  /** Uploads of nodes that died before reporting them; the bucket's lifecycle rule aborts them after a day. */
  readonly openUploads: number;
}

const jobTimeMs = 120_000;
const faultyForMs = 90_000;
const deadlyJob = "deadly";
/** After the last fault, each job ends within its deadline and three more attempts; leftover files go after that. */
const calmForMs = 60 * 60_000;
const nodeCount = 2;

/**
 * Runs one schedule of the protocol, fully determined by the seed. `broken` overrides rules of the service; the
 * simulator has to detect that.
 */
export function simulate(seed: number, broken: Partial<Rules> = {}): Outcome {
  const rules: Rules = { decide, fencesProcesses: true, keepsUnanswered: true, refusesLate: true, ...broken };
  const luck = luckOf(seed);
  const world = new World(luck);
  const database = new DatabaseModel(rules);
  const storage = new StorageModel();
  const edge = new EdgeModel({ world, database, storage, jobTimeMs, rules });
  /** Every process ever started, and the latest one at each place. */
  const nodes: NodeModel[] = [];
  const latest: NodeModel[] = [];
  let faults = 0;
  let deaths = 0;

  function startNode(place: number): void {
    const onDeath = () => {
      deaths += 1;
      world.after(luck.between(500, 5000), () => startNode(place));
    };
    const around = { world, edge, storage, jobTimeMs, rules, deadlyJob, onDeath };
    const node = new NodeModel(around, `node-${nodes.length}`, `host-${place}`);
    edge.nodes.set(node.address, node);
    nodes.push(node);
    latest[place] = node;
  }

  function disturb(place: number): void {
    world.after(luck.between(2000, 40_000), () => {
      if (!world.faulty) return;
      faults += 1;
      const node = latest[place];
      const blow = luck.whole(5);
      if (blow === 0) {
        node?.kill();
        world.after(luck.between(500, 20_000), () => startNode(place));
      } else if (blow === 1) {
        node?.freeze();
        world.after(luck.between(1000, 70_000), () => node?.thaw());
      } else if (blow === 2) {
        edge.evictRegistry();
      } else if (blow === 3) {
        // Another process answers at the address while the former one keeps running for a while.
        startNode(place);
        world.after(luck.between(1000, 60_000), () => node?.kill());
      } else {
        node?.returnAll();
      }
      disturb(place);
    });
  }

  for (let place = 0; place < nodeCount; place += 1) {
    startNode(place);
    disturb(place);
  }
  const single = luck.whole(3) + 1;
  database.create(
    Array.from({ length: single }, (_, index) => `job-${index}`),
    null,
    0,
  );
  database.create(
    Array.from({ length: luck.whole(3 * episodesAtOnce) + 1 }, (_, index) => `episode-${index}`),
    "batch",
    0,
  );
  edge.wakeUp();
  for (const jobId of database.jobs.keys()) {
    if (luck.chance(0.3))
      world.after(luck.between(0, faultyForMs), () =>
        edge.cancel(jobId, luck.chance(0.3) ? "cancel_queued" : "cancel"),
      );
  }
  world.after(faultyForMs, () => {
    world.faulty = false;
    if (!luck.chance(0.2)) return;
    database.create([deadlyJob], null, world.now);
    edge.wakeUp();
  });

  const endBy = faultyForMs + calmForMs;
  let problem: string | null = null;
  try {
    while (world.now < endBy && !isAtRest(world, database, nodes) && world.step())
      expectSound({ database, storage, nodes });
    expectAtRest({ world, database, storage, nodes, edge });
    expect(deaths <= interruptionsMax, `${deaths} nodes have died of one job`);
  } catch (error) {
    problem = `${error instanceof Error ? error.message : String(error)} (at ${Math.round(world.now)} ms)`;
  }
  const { Completed: completed, Failed: failed } = database.counts;
  return { seed, problem, completed, failed, faults, openUploads: storage.uploads.size };
}

function isAtRest(world: World, database: DatabaseModel, nodes: readonly NodeModel[]): boolean {
  return (
    !world.faulty &&
    database.leftFiles.size === 0 &&
    database.events.every(({ nextTryAt }) => nextTryAt === null) &&
    nodes.every((node) => node.isIdle) &&
    [...database.jobs.values()].every(({ state }) => isEnded(state))
  );
}

interface Parts {
  readonly world: World;
  readonly database: DatabaseModel;
  readonly storage: StorageModel;
  readonly nodes: readonly NodeModel[];
  readonly edge: EdgeModel;
}

/** The invariants that hold at any moment. */
function expectSound({ database, storage, nodes }: Pick<Parts, "database" | "storage" | "nodes">): void {
  const found = { Pending: 0, Processing: 0, Completed: 0, Failed: 0 };
  let allBytes = 0;
  for (const row of database.jobs.values()) {
    const { id, state } = row;
    found[state.status] += 1;
    allBytes += storedBytes(row);
    for (const { key, bytes } of shownFiles(row)) {
      const object = storage.objects.get(key);
      expect(object !== undefined, `${id} is Completed and ${key} is not there`);
      expect(object?.jobId === id && object.bytes === bytes, `${id} is Completed and ${key} is another`);
    }
  }
  for (const status of ["Pending", "Processing", "Completed", "Failed"] as const)
    expect(database.counts[status] === found[status], `the count of ${status} is wrong`);
  expect(database.storedBytes === allBytes, "storage usage is wrong");
  for (const [batchId, batch] of database.batches) {
    const jobs = [...database.jobs.values()].filter((row) => row.batchId === batchId);
    const ended = (status: string) => jobs.filter(({ state }) => state.status === status).length;
    expect(
      batch.completed === ended("Completed") && batch.failed === ended("Failed"),
      "a batch's counts are wrong",
    );
    expect(batch.hasEnded === (batch.completed + batch.failed === jobs.length), "a batch's end is wrong");
    const unended = jobs.filter(({ state }) => !isEnded(state));
    const released = unended.filter(
      ({ state, readyAt }) => state.status === "Processing" || readyAt !== null,
    );
    expect(
      released.length === Math.min(unended.length, episodesAtOnce),
      "too many or too few episodes are let in",
    );
  }
  const subjects = new Set(database.events.map(({ subject }) => subject));
  expect(subjects.size === database.events.length, "an event was created twice");
  const claims = nodes.flatMap((node) => node.claims);
  expect(new Set(claims).size === claims.length, "two processes work on one claim");
}

/** The invariants that hold once all faults are over and everything has ended. */
function expectAtRest({ world, database, storage, nodes, edge }: Parts): void {
  const rows = [...database.jobs.values()];
  for (const { id, state } of rows) expect(isEnded(state), `${id} never ends: ${state.status}/${state.step}`);
  expect(
    nodes.every((node) => node.isIdle),
    "a node still holds a job",
  );
  const subjects = rows.filter(({ batchId }) => batchId === null).length + database.batches.size;
  expect(database.events.length === subjects, "an event is missing");
  for (const { id, subject } of database.events) {
    const heard = [...(edge.heardEvents.get(subject) ?? [])];
    expect(heard.join() === id, `the client heard of ${subject} under the ids [${heard.join()}]`);
  }
  expect(database.leftFiles.size === 0, "left files are never deleted");
  // Let everything still in flight arrive.
  const settledBy = world.now + 60_000;
  while (world.now < settledBy && world.step()) expectSound({ database, storage, nodes });
  const shown = new Set(rows.flatMap(shownFiles).map(({ key }) => key));
  for (const key of storage.objects.keys()) expect(shown.has(key), `the object ${key} belongs to no job`);
  for (const id of storage.uploads.keys())
    expect(!database.toldUploads.has(id), `the ${id} is open, and its job has ended`);
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
