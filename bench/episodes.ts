import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { answerTo } from "../client/ferry-client.ts";
import { runScript } from "../scripts/problem.ts";
import { withBenchSystem, type BenchSystem } from "./engine/bench-system.ts";
import { makeEpisode } from "./engine/long-media.ts";
import { timed } from "./engine/timed.ts";
import { keepSection } from "../scripts/keep-section.ts";
import { median } from "./median.ts";

// How many small files that need no conversion go through the whole system per second, to a fast S3 server.

const jobs = 100;
const rounds = 5;
const goalPerSecond = 20;

await runScript(async () => {
  await withBenchSystem(async (system) => {
    await makeEpisode(join(system.folder, "episode.mp3"));
    await system.useBucket(system.storageUrl);
    await runBulk(system);
    const perSecond: number[] = [];
    for (let round = 0; round < rounds; round++) {
      perSecond.push((jobs * 1000) / (await timed(() => runBulk(system))));
      console.log(`${perSecond.at(-1)?.toFixed(1)} a second`);
    }
    const section = [
      `${jobs} direct mp3 files of 1 MB in one bulk request, from the request to the last Completed, to a fast S3 server.`,
      "",
      `Median of ${rounds} on ${availableParallelism()} cores: **${median(perSecond).toFixed(1)} a second**; the goal` +
        ` is at least ${goalPerSecond}.`,
    ].join("\n");
    console.log(`\n${section}`);
    await keepSection("docs/benchmarks.md", "Many small files", section);
  });
  return 0;
});

async function runBulk({ ferry, originUrl }: BenchSystem): Promise<void> {
  const body = { jobs: Array.from({ length: jobs }, () => ({ url: `${originUrl}/episode.mp3` })) };
  const { batch_id: id } = await answerTo(ferry.POST("/jobs/bulk", { body }));
  for (;;) {
    const batch = await answerTo(ferry.GET("/batch/{id}", { params: { path: { id } } }));
    if (batch.status === "completed") return;
    if (batch.status === "finished") throw new Error(`${batch.failed_episodes} jobs failed`);
    await sleep(20);
  }
}
