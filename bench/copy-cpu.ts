import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { runScript } from "../scripts/problem.ts";
import { showProgress } from "../scripts/progress-line.ts";
import { withBenchSystem, type BenchSystem } from "./engine/bench-system.ts";
import { bytesIn } from "./engine/folder-bytes.ts";
import { makeClip, makeDash, makeFile } from "./engine/long-media.ts";
import { useOf } from "./engine/process-tree.ts";
import { keepSection } from "../scripts/keep-section.ts";
import { stat } from "node:fs/promises";

// CPU seconds per GB that is passed through unchanged, compared with curl piped into the S3 library.

const megabytes = 500;

await runScript(async () => {
  await withBenchSystem(async (system) => {
    const { folder, originUrl, storageUrl } = system;
    const clip = join(folder, "clip.mp4");
    await showProgress("Making media", async () => {
      await makeClip(clip);
      await makeFile(clip, join(folder, "file.mp4"), megabytes);
      await makeDash(clip, join(folder, "dash"), megabytes);
    });
    await system.useBucket(storageUrl);
    await system.complete({ url: `${originUrl}/clip.mp4` });
    const fileGb = (await stat(join(folder, "file.mp4"))).size / 1e9;
    const dashGb = (await bytesIn(join(folder, "dash"))) / 1e9;
    const peer = (await cpuOfPeer(`${originUrl}/file.mp4`, storageUrl)) / fileGb;
    const direct = (await cpuOfJob(system, "file.mp4")) / fileGb;
    const dash = (await cpuOfJob(system, "dash/manifest.mpd")) / dashGb;
    const row = (what: string, seconds: number) =>
      `| ${what} | ${seconds.toFixed(1)} s | ${(seconds / peer).toFixed(2)} |`;
    const section = [
      `CPU seconds per GB for ${megabytes} MB that are copied unchanged, on ${availableParallelism()} cores: of the node`,
      "with its programs, and of `curl` piped into the S3 library.",
      "",
      "| work | a GB | relative |",
      "| --- | --- | --- |",
      row("`curl` into the S3 library", peer),
      row("a direct file", direct),
      row("DASH with separate video and audio", dash),
    ].join("\n");
    console.log(`\n${section}`);
    await keepSection("docs/benchmarks.md", "CPU time of a copy", section);
  });
  return 0;
});

async function cpuOfJob(system: BenchSystem, path: string): Promise<number> {
  const { nodePid, originUrl } = system;
  const before = (await useOf(nodePid)).cpuSeconds;
  await system.complete({ url: `${originUrl}/${path}` });
  return (await useOf(nodePid)).cpuSeconds - before;
}

async function cpuOfPeer(sourceUrl: string, storageUrl: string): Promise<number> {
  const peer = fileURLToPath(new URL("engine/curl-peer.ts", import.meta.url));
  const { stdout } = await execa(process.execPath, [peer, sourceUrl, storageUrl]);
  return Number(stdout);
}
