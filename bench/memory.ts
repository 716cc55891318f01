import { availableParallelism } from "node:os";
import { join } from "node:path";
import { runScript } from "../scripts/problem.ts";
import { showProgress } from "../scripts/progress-line.ts";
import { withBenchSystem, type BenchSystem } from "./engine/bench-system.ts";
import { makeClip, makeDash, makeFile, remove } from "./engine/long-media.ts";
import { useOf, mostMemory } from "./engine/process-tree.ts";
import { keepSection } from "../scripts/keep-section.ts";

// The most memory that a node and its programs use beyond what they use when idle.

const goalMb = 350;
const largeMegabytes = 2000;
const manyMegabytes = 200;
const many = 10;

await runScript(async () => {
  const variables = { PROCESSOR_SLOTS: `${many}` };
  await withBenchSystem(async (system) => {
    const { folder } = system;
    const clip = join(folder, "clip.mp4");
    await showProgress("Making media", async () => {
      await makeClip(clip);
      await makeDash(clip, join(folder, "dash-large"), largeMegabytes);
      await makeDash(clip, join(folder, "dash"), manyMegabytes);
      await makeFile(clip, join(folder, "file.mp4"), manyMegabytes);
    });
    await system.useBucket(system.storageUrl);
    // What a first job loads permanently is not the cost of a job.
    await system.complete({ url: `${system.originUrl}/clip.mp4` });
    await system.complete({ url: `${system.originUrl}/clip.mp4`, format: "mkv" });
    const rows: [string, number][] = [];
    for (const [what, paths] of [
      [`one DASH job of ${largeMegabytes} MB`, ["dash-large/manifest.mpd"]],
      [`${many} DASH jobs of ${manyMegabytes} MB at once`, sameTimes("dash/manifest.mpd")],
      [`${many} direct files of ${manyMegabytes} MB at once`, sameTimes("file.mp4")],
    ] as const) {
      rows.push([what, await showProgress(what, () => peakAboveIdle(system, paths))]);
      await remove(join(folder, "dash-large"));
    }
    const section = [
      `The most that a node and its programs use above idle, on ${availableParallelism()} cores. Pages that processes`,
      "share count once.",
      "",
      "| work | above idle | goal |",
      "| --- | --- | --- |",
      ...rows.map(([what, mb]) => `| ${what} | ${mb.toFixed(0)} MB | at most ${goalMb} MB |`),
    ].join("\n");
    console.log(`\n${section}`);
    await keepSection("docs/benchmarks.md", "Memory of a node", section);
  }, variables);
  return 0;
});

function sameTimes(path: string): string[] {
  return Array.from({ length: many }, () => path);
}

/** In MB. */
async function peakAboveIdle(system: BenchSystem, paths: readonly string[]): Promise<number> {
  const idle = (await useOf(system.nodePid)).memoryBytes;
  const most = await mostMemory(system.nodePid, () =>
    Promise.all(paths.map((path) => system.complete({ url: `${system.originUrl}/${path}` }))),
  );
  return (most - idle) / 1e6;
}
