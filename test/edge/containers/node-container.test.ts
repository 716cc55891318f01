import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import type { Heartbeat } from "../../../contracts/heartbeat.ts";
import { containerAddress } from "../../../edge/containers/container-address.ts";
import type { ContainerLife } from "../../../edge/containers/container-life.ts";
import type { NodeContainer } from "../../../edge/containers/node-container.object.ts";

/** The container's state, and what the keeper has done to it. */
interface FakeContainer {
  running: boolean;
  readonly done: string[];
  readonly started: ContainerStartupOptions[];
}

let names = 0;
let name: string;
let container: FakeContainer;

beforeEach(() => {
  names += 1;
  name = `node-test-${names}`;
  container = { running: false, done: [], started: [] };
});

/** Runs in the keeper of this test's container, with a fake container that records what is done to it. */
function inKeeper<Result>(
  work: (keeper: NodeContainer, state: DurableObjectState) => Promise<Result>,
): Promise<Result> {
  const keeper = env.NODE_CONTAINER?.getByName(name);
  if (!keeper) throw new Error("no binding");
  return runInDurableObject(keeper, (instance: NodeContainer, state) => {
    Object.defineProperty(state, "container", { configurable: true, value: standIn(container) });
    return work(instance, state);
  });
}

function standIn(fake: FakeContainer) {
  return {
    get running() {
      return fake.running;
    },
    start(options: ContainerStartupOptions) {
      fake.running = true;
      fake.started.push(options);
    },
    signal: (signal: number) => fake.done.push(`signal ${signal}`),
    destroy: async () => {
      fake.running = false;
      fake.done.push("destroy");
    },
    setInactivityTimeout: async () => undefined,
    getTcpPort: (port: number) => ({
      fetch: async (request: Request) => Response.json({ port, path: new URL(request.url).pathname }),
    }),
  };
}

async function beat(jobs: Heartbeat["jobs"]): Promise<void> {
  await env.NODE_REGISTRY.getByName("cluster").heartbeat({
    node_id: name,
    hostname: "host",
    address: containerAddress(name),
    sequence: Date.now(),
    free_slots: 4,
    draining: false,
    counts: { downloading: 0, muxing: 0, uploading: 0 },
    jobs,
  });
}

const setLife = (state: DurableObjectState, life: Partial<ContainerLife>) =>
  state.storage.put("life", { name, wokenAt: 0, idleSince: null, ...life });

test("waking starts the container once, with the settings its node needs to reach the edge", async () => {
  await inKeeper((keeper) => keeper.wake(name));
  await inKeeper((keeper) => keeper.wake(name));
  expect(container.started).toHaveLength(1);
  expect(container.started[0]).toMatchObject({
    enableInternet: true,
    env: { PUBLIC_ADDRESS: `container://${name}`, PROCESSOR_SECRET: expect.any(String), PORT: "8788" },
  });
  expect(await inKeeper((_, state) => state.storage.getAlarm())).not.toBeNull();
});

test("requests are passed to a running container, and do not wake a sleeping one", async () => {
  const ask = () => inKeeper((keeper) => keeper.fetch(new Request("http://node/internal/tasks")));
  expect((await ask()).status).toBe(502);
  container.running = true;
  expect(await (await ask()).json()).toEqual({ port: 8788, path: "/internal/tasks" });
  expect(container.started).toEqual([]);
});

test("a container idle for long is told to drain, and one whose node is silent is killed", async () => {
  container.running = true;
  await beat([]);
  await inKeeper(async (keeper, state) => {
    await setLife(state, { idleSince: Date.now() - 300_001 });
    await keeper.alarm();
  });
  expect(container.done).toEqual(["signal 15"]);
  name = `${name}-silent`;
  await inKeeper(async (keeper, state) => {
    await setLife(state, {});
    await keeper.alarm();
  });
  expect(container.done).toEqual(["signal 15", "destroy"]);
});

test("a container whose node has a job is kept and checked again; one that has stopped is not", async () => {
  container.running = true;
  const progress = {
    percent: 1,
    bytes_downloaded: 0,
    bytes_total: null,
    speed_bytes_per_second: 0,
    eta_seconds: null,
  };
  await beat([{ account_id: "a", job_id: "j", claim: 1, step: "Downloading", progress }]);
  await inKeeper(async (keeper, state) => {
    await setLife(state, { idleSince: 1 });
    await keeper.alarm();
    expect(await state.storage.get("life")).toMatchObject({ idleSince: null });
    expect(await state.storage.getAlarm()).not.toBeNull();
    await state.storage.deleteAlarm();
    container.running = false;
    await keeper.alarm();
    expect(await state.storage.getAlarm()).toBeNull();
  });
  expect(container.done).toEqual([]);
});
