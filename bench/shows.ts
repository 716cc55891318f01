import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { answerTo, waitForBatch } from "../client/ferry-client.ts";
import { runScript } from "../scripts/problem.ts";
import { withBenchSystem, type BenchSystem } from "./engine/bench-system.ts";
import { makeEpisode } from "./engine/long-media.ts";
import { mostMemory, useOf } from "./engine/process-tree.ts";
import { timed } from "./engine/timed.ts";
import { keepSection } from "../scripts/keep-section.ts";
import { median } from "./median.ts";

// A podcast show from its URL to its last file: how many episodes a minute, and what each costs node and edge.

const episodes = 1000;
const rounds = 3;
const goalPerMinute = 1000;
const warmUpEpisodes = 20;
const largeShow = 10_000;
const largeShowGoalSeconds = 30;

interface Round {
  readonly perMinute: number;
  /** Sent by the node for all episodes together. */
  readonly reportRequests: number;
  readonly nodeCpuSeconds: number;
}

await runScript(async () => {
  await withBenchSystem(async (system) => {
    await makeEpisode(join(system.folder, "episode.mp3"));
    await system.useBucket(system.storageUrl);
    await runShow(system, warmUpEpisodes);
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      measured.push(await measureShow(system));
      console.log(measured.at(-1));
    }
    await openAndCancel(system, episodes);
    const edge = {
      thousandMb: await edgeMemory(system, episodes),
      largeMb: await edgeMemory(system, largeShow),
    };
    const largeShowMs = await timed(() => openAndCancel(system, largeShow));
    const section = report(measured, system.mostAtOnce(), largeShowMs, edge);
    console.log(`\n${section}`);
    await keepSection("docs/benchmarks.md", "A podcast show", section);
  });
  return 0;
});

async function measureShow(system: BenchSystem): Promise<Round> {
  const requests = await reportRequests(system);
  const { cpuSeconds } = await useOf(system.nodePid);
  const tookMs = await timed(() => runShow(system, episodes));
  return {
    perMinute: (episodes * 60_000) / tookMs,
    reportRequests: (await reportRequests(system)) - requests,
    nodeCpuSeconds: (await useOf(system.nodePid)).cpuSeconds - cpuSeconds,
  };
}

async function createShow({ ferry, originUrl }: BenchSystem, count: number): Promise<string> {
  const body = { url: `${originUrl}/feed/rss?episodes=${count}` };
  const created = await answerTo(ferry.POST("/jobs", { body }));
  if (!("batch_id" in created)) throw new Error("The feed was not recognized as a show");
  return created.batch_id;
}

async function openAndCancel(system: BenchSystem, count: number): Promise<void> {
  const batchId = await createShow(system, count);
  await answerTo(system.ferry.POST("/batch/{id}/cancel", { params: { path: { id: batchId } } }));
}

/** The peak memory of the edge while a show is read and cancelled, minus what it used before, in MB. */
async function edgeMemory(system: BenchSystem, count: number): Promise<number> {
  const idle = (await useOf(system.edgePid)).memoryBytes;
  return ((await mostMemory(system.edgePid, () => openAndCancel(system, count))) - idle) / 1e6;
}

async function runShow(system: BenchSystem, count: number): Promise<void> {
  const batchId = await createShow(system, count);
  const batch = await waitForBatch(system.ferry, batchId, { intervalMs: 250 });
  if (batch.status !== "completed") throw new Error(`${batch.failed_episodes} episodes failed`);
}

/** How many the edge has answered, according to its server's log. */
async function reportRequests({ folder }: BenchSystem): Promise<number> {
  const log = await readFile(join(folder, "state/logs/edge.log"), "utf8");
  return log.split("] POST /internal/reports 200").length - 1;
}

function report(
  measured: readonly Round[],
  mostAtOnce: number,
  largeShowMs: number,
  edge: { thousandMb: number; largeMb: number },
): string {
  const medianOf = (pick: (round: Round) => number) => median(measured.map(pick));
  const perMinute = medianOf((round) => round.perMinute);
  const requests = medianOf((round) => round.reportRequests) / episodes;
  const cpuMs = (medianOf((round) => round.nodeCpuSeconds) * 1000) / episodes;
  return [
    `A feed of ${episodes} mp3 files of 1 MB, from POST /jobs to the batch's end: edge in workerd, one node, source and a`,
    "fast S3 server, all on one machine.",
    "",
    `Median of ${rounds} on ${availableParallelism()} cores: **${perMinute.toFixed(0)} episodes a minute**; the goal is at` +
      ` least ${goalPerMinute}. An episode costs ${requests.toFixed(2)} requests from node to edge and ${cpuMs.toFixed(0)} ms` +
      ` of the node's CPU; at most ${mostAtOnce} requests were at the source at once.`,
    "",
    `A feed of ${largeShow} episodes is read, becomes a batch and is cancelled again in ` +
      `**${(largeShowMs / 1000).toFixed(1)} s**; the goal is at most ${largeShowGoalSeconds} s. Meanwhile the edge, its local` +
      ` database and all, takes ${edge.largeMb.toFixed(0)} MB more than idle; for ${episodes} episodes it is` +
      ` ${edge.thousandMb.toFixed(0)} MB.`,
  ].join("\n");
}
