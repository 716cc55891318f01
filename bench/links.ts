import { join } from "node:path";
import { availableParallelism } from "node:os";
import { runScript } from "../scripts/problem.ts";
import { showProgress } from "../scripts/progress-line.ts";
import { withBenchSystem, type BenchSystem } from "./engine/bench-system.ts";
import { startLimitedLink } from "./engine/limited-link.ts";
import { makeClip, makeDash, secondsOf } from "./engine/long-media.ts";
import { runScriptPeer } from "./engine/script.ts";
import { timed } from "./engine/timed.ts";
import { keepSection } from "../scripts/keep-section.ts";
import { median } from "./median.ts";
import { bytesIn } from "./engine/folder-bytes.ts";

// Separate video and audio from POST to Completed, compared with a script that downloads and merges with yt-dlp and
// then uploads with the S3 library; alternating in the same run, over links of 20 MB/s each and over unlimited ones.

const megabytes = 240;
const rounds = 3;
const linkBytesPerSecond = 20e6;

await runScript(async () => {
  await withBenchSystem(async (system) => {
    const { folder, originUrl, storageUrl } = system;
    const clip = join(folder, "clip.mp4");
    const manifest = await showProgress("Making media", async () => {
      await makeClip(clip);
      return makeDash(clip, join(folder, "dash"), megabytes);
    });
    const bytes = await bytesIn(join(folder, "dash"));
    const source = await startLimitedLink(originUrl, linkBytesPerSecond);
    const storage = await startLimitedLink(storageUrl, linkBytesPerSecond);
    try {
      const limited = await compare(system, `${source.url}/dash/${manifest}`, storage.url);
      const free = await compare(system, `${originUrl}/dash/${manifest}`, storageUrl);
      const limitMs = (bytes * 1000) / linkBytesPerSecond;
      const section = report(bytes, limited, free, limitMs);
      console.log(`\n${section}`);
      await keepSection("docs/benchmarks.md", "Separate video and audio", section);
    } finally {
      await source.close();
      await storage.close();
    }
  });
  return 0;
});

interface Compared {
  readonly jobMs: number;
  readonly scriptMs: number;
}

async function compare(system: BenchSystem, sourceUrl: string, storageUrl: string): Promise<Compared> {
  await system.useBucket(storageUrl);
  const jobs: number[] = [];
  const scripts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    scripts.push(await timed(() => runScriptPeer({ sourceUrl, storageUrl, folder: system.folder })));
    jobs.push(
      await timed(async () => {
        const { media } = await system.complete({ url: sourceUrl, filename: `round-${round}` });
        const seconds = media?.duration_seconds ?? 0;
        if (Math.abs(seconds - secondsOf(megabytes)) > 1) throw new Error(`The file plays for ${seconds} s.`);
      }),
    );
    console.log(`script ${scripts.at(-1)?.toFixed(0)} ms, job ${jobs.at(-1)?.toFixed(0)} ms`);
  }
  return { jobMs: median(jobs), scriptMs: median(scripts) };
}

function report(bytes: number, limited: Compared, free: Compared, limitMs: number): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const share = ({ jobMs, scriptMs }: Compared) => (jobMs / scriptMs).toFixed(2);
  return [
    `DASH with separate video and audio, ${Math.round(bytes / 1e6)} MB, to mp4, from POST to Completed, against a script`,
    "that downloads and merges with yt-dlp and then uploads with the S3 library. Medians of",
    `${rounds}, alternating, on ${availableParallelism()} cores; source, storage, edge and node share them.`,
    "",
    "| links | script | job | job / script | goal | job / limit | goal |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    `| 20 MB/s each | ${seconds(limited.scriptMs)} | ${seconds(limited.jobMs)} | ${share(limited)} | at most 0.52 |` +
      ` ${(limited.jobMs / limitMs).toFixed(2)} | at most 1.12 |`,
    `| not limited | ${seconds(free.scriptMs)} | ${seconds(free.jobMs)} | ${share(free)} | at most 0.60 | | |`,
    "",
    `The limit is the bytes over one link: ${seconds(limitMs)}.`,
  ].join("\n");
}
