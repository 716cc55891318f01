import { availableParallelism } from "node:os";
import { join } from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { runScript } from "../scripts/problem.ts";
import { withBenchSystem, type BenchSystem } from "./engine/bench-system.ts";
import { makeEpisode } from "./engine/long-media.ts";
import { timed } from "./engine/timed.ts";
import { keepSection } from "../scripts/keep-section.ts";
import { median } from "./median.ts";

// The overhead of a job: from POST to Completed of a 1 MB file that needs no conversion, on an idle system, compared
// with a script that downloads the file and uploads it with the same S3 client; alternating in the same run.

const rounds = 20;
const warmUpRounds = 3;
const goalMs = 300;

await runScript(async () => {
  await withBenchSystem(async (system) => {
    await makeEpisode(join(system.folder, "episode.mp3"));
    await system.useBucket(system.storageUrl);
    await measure(system);
  });
  return 0;
});

async function measure(system: BenchSystem): Promise<void> {
  const { originUrl, storageUrl } = system;
  const put = scriptFor(storageUrl);
  const url = `${originUrl}/episode.mp3`;
  const jobs: number[] = [];
  const scripts: number[] = [];
  for (let round = -warmUpRounds; round < rounds; round++) {
    const scriptMs = await timed(() => put(url, `script-${round}.mp3`));
    const jobMs = await timed(() => system.complete({ url }, 10));
    if (round < 0) continue;
    scripts.push(scriptMs);
    jobs.push(jobMs);
  }
  const section = report(median(jobs), median(scripts));
  console.log(`\n${section}`);
  await keepSection("docs/benchmarks.md", "The overhead of a job", section);
}

function report(jobMs: number, scriptMs: number): string {
  return [
    "From POST to Completed of a 1 MB mp3 that needs no conversion, on an idle local system with a fast S3 server, against a",
    "script that downloads the same file and uploads it with the same S3 client. The client polls every 10 ms, so up to 10 ms",
    "of a job's time are due to polling.",
    "",
    `Medians of ${rounds} on ${availableParallelism()} cores: a job ${jobMs.toFixed(0)} ms, the script ` +
      `${scriptMs.toFixed(0)} ms: **${(jobMs - scriptMs).toFixed(0)} ms** more; the goal is at most ${goalMs} ms.`,
  ].join("\n");
}

/** What a job is compared with: download the file, upload it. */
function scriptFor(endpoint: string): (sourceUrl: string, key: string) => Promise<void> {
  const client = new S3Client({
    endpoint,
    region: "auto",
    forcePathStyle: true,
    credentials: { accessKeyId: "bench", secretAccessKey: "bench" },
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  return async (sourceUrl, key) => {
    const body = new Uint8Array(await (await fetch(sourceUrl)).arrayBuffer());
    await client.send(new PutObjectCommand({ Bucket: "bench", Key: key, Body: body }));
  };
}
