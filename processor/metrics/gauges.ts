import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";
import type { Heartbeat } from "../../contracts/heartbeat.ts";
import type { MemoryUse } from "../memory/byte-budget.ts";
import type { StagePlaces } from "../work/places.ts";

/** The node's resources, read whenever its metrics are requested. */
export interface Resources {
  readonly places: StagePlaces;
  readonly memory: Readonly<Record<"download" | "upload", MemoryUse>>;
  /** The folder on the disk that jobs work on. It must exist when metrics are requested. */
  readonly workFolder: string;
}

/** The state of the node's dealings with the edge, read whenever its metrics are requested. */
export interface NodeReadings {
  readonly slots: number;
  /** Jobs the node holds, each until the edge has acknowledged its end. */
  readonly jobsHeld: () => number;
  readonly counts: () => Heartbeat["counts"];
  readonly reportsWaiting: () => number;
  /** Milliseconds since the edge was last heard. */
  readonly silentMs: () => number;
  /** Milliseconds by which the edge's clock is ahead of this machine's. */
  readonly edgeAheadMs: () => number;
}

/** Adds gauges of the node's stages, buffer memory and disk to the registry. */
export function addResourceGauges(registry: Registry, { places, memory, workFolder }: Resources): void {
  const stagePlaces = { download: places.downloads, encode: places.encodes, upload: places.uploads };
  addGauges(registry, "ferry_places", "How many jobs may be in each stage on this node.", "place", () =>
    valuesOf(stagePlaces, (one) => one.occupancy().total),
  );
  addGauges(registry, "ferry_places_used", "How many jobs are in the stage.", "place", () =>
    valuesOf(stagePlaces, (one) => one.occupancy().used),
  );
  addGauges(registry, "ferry_places_waiting", "Jobs waiting to enter the stage.", "place", () =>
    valuesOf(stagePlaces, (one) => one.occupancy().waiting),
  );
  addGauges(registry, "ferry_memory_budget_bytes", "Buffer memory shared by all jobs.", "use", () =>
    valuesOf(memory, (one) => one.totalBytes),
  );
  addGauges(registry, "ferry_memory_used_bytes", "Buffer memory in use.", "use", () =>
    valuesOf(memory, (one) => one.usedBytes()),
  );
  addGauges(
    registry,
    "ferry_disk_bytes",
    "Size of and free space on the disk that jobs work on.",
    "state",
    async () => {
      const { bsize, blocks, bavail } = await statfs(workFolder);
      return { total: bsize * blocks, free: bsize * bavail };
    },
  );
}

/** Adds gauges of the node's jobs and of its contact with the edge to the registry. */
export function addNodeGauges(registry: Registry, node: NodeReadings): void {
  addGauges(registry, "ferry_jobs", "Jobs of this node by step.", "step", node.counts);
  addGauges(registry, "ferry_slots", "The node's job slots: total and used.", "state", () => ({
    total: node.slots,
    used: node.jobsHeld(),
  }));
  addGauge(registry, "ferry_reports_waiting", "Reports that the edge has not answered.", node.reportsWaiting);
  addGauge(
    registry,
    "ferry_edge_silent_seconds",
    "Time since the edge was last heard.",
    () => node.silentMs() / 1000,
  );
  addGauge(
    registry,
    "ferry_edge_ahead_seconds",
    "How far the edge's clock is ahead of the node's.",
    () => node.edgeAheadMs() / 1000,
  );
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
}

/** One series for each field that `read` returns, labelled with the field's name. */
function addGauges(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  read: () => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      for (const [value, reading] of Object.entries(await read())) gauge.set({ [label]: value }, reading);
    },
  });
}

function valuesOf<Key extends string, One>(
  all: Readonly<Record<Key, One>>,
  value: (one: One) => number,
): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries<One>(all).map(([key, one]) => [key, value(one)]));
}
