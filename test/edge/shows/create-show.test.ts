import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { ShowLine } from "../../../contracts/show.ts";
import { answering, showNodes, showOf } from "../support/show-node.ts";
import { countedFromRows, countersOf } from "../support/test-account.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const url = "https://podcasts.example/weekly";
const titles = (count: number) => Array.from({ length: count }, (_, n) => `Episode ${n}`);

async function apiWith(lines: readonly ShowLine[]) {
  return createTestApi(showNodes(answering(lines)));
}
const post = (api: TestApi, fields: object = {}, headers = {}) =>
  api.call("POST", "/jobs", { json: { url, ...fields }, headers });
const rowsOf = (api: TestApi) =>
  api.dependencies.database.all<Record<string, unknown>>(
    sql`SELECT * FROM jobs WHERE account_id = ${api.account.id} ORDER BY id`,
  );

describe("POST /jobs for a podcast show", () => {
  it("makes a batch with one job an episode, in the feed's order, and counts each", async () => {
    const api = await apiWith(showOf(["One", "Two: b", "One"]));
    const { status, body } = await post(api, { format: "mp3", webhook_url: "https://client.example/hook" });
    expect([status, Object.keys(body)]).toEqual([200, ["batch_id", "total_episodes", "episode_jobs"]]);
    expect(body.total_episodes).toBe(3);
    const rows = await rowsOf(api);
    expect(rows.map(({ id }) => id)).toEqual(body.episode_jobs);
    expect(rows.map(({ url: of, filename }) => [of, filename])).toEqual([
      ["https://media.example/0.mp3", "One"],
      ["https://media.example/1.mp3", "Two b"],
      ["https://media.example/2.mp3", "One (2)"],
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({
        batch_id: body.batch_id,
        folder: "Weekly",
        webhook_url: null,
        status: "Pending",
        step: "Queued",
        ready_at: api.clock.now,
        created_at: api.clock.now,
      });
      expect(JSON.parse(String(row["options"]))).toMatchObject({ format: "mp3" });
    }
    expect((await api.call("GET", `/batch/${body.batch_id}`)).body).toEqual({
      id: body.batch_id,
      show_url: url,
      folder: "Weekly",
      status: "processing",
      total_episodes: 3,
      completed_episodes: 0,
      failed_episodes: 0,
      episode_jobs: body.episode_jobs,
    });
    expect((await api.call("GET", "/usage")).body.usage_count).toBe(3);
    expect(await countersOf(api.dependencies, api.account.id)).toEqual(
      await countedFromRows(api.dependencies, api.account.id),
    );
    const [batch] = await api.dependencies.database.all<Record<string, unknown>>(
      sql`SELECT webhook_url FROM batches WHERE id = ${body.batch_id}`,
    );
    expect(batch).toEqual({ webhook_url: "https://client.example/hook" });
  });

  it("takes 10,000 episodes, and cancels them", async () => {
    const api = await apiWith(showOf(titles(10_000)));
    const { status, body } = await post(api);
    expect([status, body.total_episodes, body.episode_jobs.length]).toEqual([200, 10_000, 10_000]);
    const cancelled = await api.call("POST", `/batch/${body.batch_id}/cancel`);
    expect(cancelled.body.cancelled).toBe(10_000);
  });
});
