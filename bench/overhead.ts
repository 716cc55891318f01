import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { execa } from "execa";
import { createFerry, runJob } from "../client/ferry-client.ts";
import { findFreePorts } from "../scripts/local-system/ports.ts";
import { readSystemSettings } from "../scripts/local-system/settings.ts";
import { stopSignal } from "../scripts/local-system/stop-signal.ts";
import { localStorageVariables } from "../scripts/local-system/storage.ts";
import { startLocalSystem, type LocalSystem } from "../scripts/local-system/system.ts";
import { provideTools } from "../scripts/local-system/tools.ts";
import { startOrigin } from "../scripts/origin/serve-origin.ts";
import { runScript } from "../scripts/problem.ts";
import { keepSection } from "./keep-section.ts";
import { median } from "./median.ts";

// What a job costs beside the work itself: from POST to Completed of a 1 MB file that needs no change, on an idle
// system, against a script that fetches the file and puts it with the same S3 client. Turn about, in the same run.

const rounds = 20;
const warmUpRounds = 3;

await runScript(async () => {
  const signal = stopSignal();
  await provideTools();
  const folder = await mkdtemp(join(tmpdir(), "ferry-bench-"));
  try {
    await makeEpisode(join(folder, "episode.mp3"));
    const origin = await startOrigin({ folder });
    const [port, processorPort] = await findFreePorts(2);
    const variables = {
      PORT: `${port}`,
      PROCESSOR_PORT: `${processorPort}`,
      STATE_DIR: join(folder, "state"),
    };
    const system = await startLocalSystem(readSystemSettings(variables), { signal, say: console.log });
    try {
      await measure(system, `${origin.url}/episode.mp3`, signal);
    } finally {
      await system.stop();
      await origin.close();
    }
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** An mp3 of 65 s at 128 kbit/s: 1.04 MB. */
async function makeEpisode(path: string): Promise<void> {
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=65"];
  await execa("ffmpeg", ["-nostdin", "-v", "error", ...sound, "-b:a", "128k", path]);
}

async function measure(system: LocalSystem, sourceUrl: string, signal: AbortSignal): Promise<void> {
  const put = scriptFor(system.url);
  const ferry = createFerry({ baseUrl: system.url, apiKey: system.apiKey });
  const jobs: number[] = [];
  const scripts: number[] = [];
  for (let round = -warmUpRounds; round < rounds; round++) {
    const scriptMs = await timed(() => put(sourceUrl, `script-${round}.mp3`));
    const jobMs = await timed(async () => {
      const job = await runJob(ferry, { url: sourceUrl }, { signal, intervalMs: 10 });
      if (job.status !== "Completed") throw new Error(`The job failed: ${job.error}`);
    });
    if (round < 0) continue;
    scripts.push(scriptMs);
    jobs.push(jobMs);
  }
  const section = report(median(jobs), median(scripts));
  console.log(`\n${section}`);
  await keepSection("docs/benchmarks.md", "What a job costs beside the work", section);
}

function report(jobMs: number, scriptMs: number): string {
  const ratio = (jobMs / scriptMs).toFixed(1);
  return [
    "From POST to Completed of a 1 MB mp3 that needs no change, on an idle local system, against a script that fetches",
    "the same file and puts it with the same S3 client. The client asks every 10 ms, so up to 10 ms of a job's time are",
    "the asking.",
    "",
    `Medians of ${rounds} on ${availableParallelism()} cores: a job ${jobMs.toFixed(0)} ms, the script ` +
      `${scriptMs.toFixed(0)} ms, **${ratio} times** as long.`,
  ].join("\n");
}

/** What a job is measured against: fetch the file, put it. */
function scriptFor(edgeUrl: string): (sourceUrl: string, key: string) => Promise<void> {
  const storage = localStorageVariables(edgeUrl);
  const client = new S3Client({
    endpoint: storage.STORAGE_ENDPOINT,
    region: storage.STORAGE_REGION,
    forcePathStyle: true,
    credentials: {
      accessKeyId: storage.STORAGE_ACCESS_KEY_ID,
      secretAccessKey: storage.STORAGE_SECRET_ACCESS_KEY,
    },
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  return async (sourceUrl, key) => {
    const body = new Uint8Array(await (await fetch(sourceUrl)).arrayBuffer());
    await client.send(new PutObjectCommand({ Bucket: storage.STORAGE_BUCKET, Key: key, Body: body }));
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
