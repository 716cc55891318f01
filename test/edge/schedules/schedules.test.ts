import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { runSchedule, type TakeReports, takeReports } from "./edge-schedule.ts";

/** As requested by `npm run soak`; by default a few schedules, which take seconds. */
const { schedules, seed: onlySeed } = z
  .object({ schedules: z.int().default(5), seed: z.int().optional() })
  .parse(JSON.parse(env.FERRY_SCHEDULES));
const firstSeed = onlySeed ?? 1;
const lastSeed = onlySeed ?? schedules;
const shownEvery = 50;
const timeoutMs = 2 * 60 * 60_000;
/** A seed known to reveal a missing fence. */
const tellingSeed = 18;
const triesMax = 60;

test(
  "whatever happens to requests and nodes, the edge loses nothing and does nothing twice",
  async () => {
    const broken: string[] = [];
    for (let seed = firstSeed; seed <= lastSeed; seed += 1) {
      await runSchedule(seed).catch((error: unknown) => {
        broken.push(`${seed}: ${String(error)}`);
        console.error(`npm run soak -- --edge-seed ${seed}: ${String(error)}`);
      });
      if (seed % shownEvery === 0)
        console.log(`${seed} schedules of the edge's code, ${broken.length} broken`);
    }
    expect(broken.slice(0, 20)).toEqual([]);
  },
  timeoutMs,
);

test("a seed replays its schedule on the edge's code", async () => {
  expect(await runSchedule(7)).toEqual(await runSchedule(7));
});

test("an edge that does not check whose claim it is, is detected", async () => {
  const unfenced: TakeReports = async (api, request) => {
    const [report] = request.reports;
    const [row] = await api.dependencies.database.all<{ claim: number; nodeId: string | null }>(
      sql`SELECT claim, node_id AS nodeId FROM jobs WHERE id = ${report?.job_id}`,
    );
    if (report === undefined || row === undefined || row.claim === 0) return [];
    const reports = [{ ...report, claim: row.claim }];
    return takeReports(api, { ...request, node_id: row.nodeId ?? request.node_id, reports });
  };
  const problems: string[] = [];
  for (let seed = tellingSeed; seed < tellingSeed + triesMax && problems.length === 0; seed += 1)
    await runSchedule(seed, unfenced).catch((error: unknown) => problems.push(`${seed}: ${String(error)}`));
  expect(problems.join()).toMatch(/its file is not there|Files that no job shows|never end|Broken/);
});
