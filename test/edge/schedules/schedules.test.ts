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
/** Seeds known to reveal a missing fence. */
const tellingSeeds = { unfenced: 347, forgetful: 64 };
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
    if (report === undefined || row === undefined || row.claim === 0) return { results: [], tasks: [] };
    const reports = [{ ...report, claim: row.claim }];
    return takeReports(api, { ...request, node_id: row.nodeId ?? request.node_id, reports });
  };
  expect(await problemWith(unfenced, tellingSeeds.unfenced)).toMatch(brokenPromise);
});

test("an edge that listens to what an attempt asked before its latest question, is found out", async () => {
  const forgetful: TakeReports = (api, request) =>
    takeReports(api, {
      ...request,
      reports: request.reports.map((report) => ({ ...report, sequence: undefined })),
    });
  expect(await problemWith(forgetful, tellingSeeds.forgetful)).toMatch(brokenPromise);
});

const brokenPromise = /its file is not there|Files that no job shows|never end|Broken/;

/** The first problem of a schedule, starting with the given seed; empty if none of many has any. */
async function problemWith(take: TakeReports, first: number): Promise<string> {
  for (let seed = first; seed < first + triesMax; seed += 1) {
    const problem = await runSchedule(seed, take).then(
      () => "",
      (error: unknown) => `${seed}: ${String(error)}`,
    );
    if (problem !== "") return problem;
  }
  return "";
}
