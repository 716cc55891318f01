import { sql } from "drizzle-orm";
import { describe, expect, it, test } from "vitest";
import { defaultLimits } from "../../../contracts/limits.ts";
import type { ShowLine } from "../../../contracts/show.ts";
import { createBatchFromDrafts } from "../../../edge/shows/create-batch.store.ts";
import { deleteStaleDrafts, saveDraft } from "../../../edge/shows/show-draft.store.ts";
import { dyingDatabase } from "../support/dying-database.ts";
import { answering, showNodes, showOf } from "../support/show-node.ts";
import { noOptions } from "../../contracts/no-options.ts";
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
  it("creates a batch with one job per episode, in the feed's order, and counts each", async () => {
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

  it("accepts 10,000 episodes, and cancels them", async () => {
    const api = await apiWith(showOf(titles(10_000)));
    const { status, body } = await post(api);
    expect([status, body.total_episodes, body.episode_jobs.length]).toEqual([200, 10_000, 10_000]);
    const cancelled = await api.call("POST", `/batch/${body.batch_id}/cancel`);
    expect(cancelled.body.cancelled).toBe(10_000);
  });

  it("stores the files in the client's folder", async () => {
    const api = await apiWith(showOf(["One"]));
    const { body } = await post(api, { folder: "podcasts/mine/", filename: "ignored" });
    expect((await rowsOf(api)).map(({ folder, filename }) => [folder, filename])).toEqual([
      ["podcasts/mine", "One"],
    ]);
    expect((await api.call("GET", `/batch/${body.batch_id}`)).body.folder).toBe("podcasts/mine");
  });

  it("stores the files in the account's current bucket, and leaves an empty title to the media", async () => {
    const api = await apiWith(showOf([null, "???"]));
    await api.dependencies.database.run(
      sql`UPDATE accounts SET storage_location_id = 77 WHERE id = ${api.account.id}`,
    );
    await post(api);
    for (const row of await rowsOf(api)) {
      expect(row).toMatchObject({ storage_location_id: 77, filename: null });
    }
  });

  it("validates every field before it reads the show", async () => {
    const nodes = showNodes(answering(showOf(["One"])));
    const api = await createTestApi(nodes);
    expect((await post(api, { format: "avi" })).status).toBe(400);
    expect((await post(api, { nope: 1 })).status).toBe(400);
    expect(nodes.asked).toEqual([]);
  });

  it.each([
    ["has no episodes", [...showOf([]).slice(0, 2), { kind: "failed", code: "no_episodes" }], 400],
    ["has no episode with an allowed URL", privateEpisode(), 400],
    ["breaks off", showOf(titles(5000)).slice(0, -1), 504],
  ] as const)("creates nothing for a show that %s", async (_name, lines, expected) => {
    const api = await apiWith(lines);
    const { status, body } = await post(api);
    expect([status, body.error]).toEqual([
      expected,
      expected === 400 ? "No episodes found" : "Episode extraction timed out",
    ]);
    expect(await leftOf(api)).toEqual({ jobs: 0, batches: 0, drafts: 0, created: 0 });
  });
});

describe("an idempotency key of a show", () => {
  const key = { "idempotency-key": "k" };

  it("returns the first response again, with the same ids, without reading the show again", async () => {
    const nodes = showNodes(answering(showOf(titles(300))));
    const api = await createTestApi(nodes);
    const first = await post(api, {}, key);
    const again = await post(api, {}, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(nodes.asked).toHaveLength(1);
    expect(await leftOf(api)).toEqual({ jobs: 300, batches: 1, drafts: 0, created: 300 });
  });

  it("of simultaneous requests lets one create the show", async () => {
    const api = await apiWith(showOf(titles(150)));
    const answers = await Promise.all([post(api, {}, key), post(api, {}, key), post(api, {}, key)]);
    for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]?.body]);
    expect(await leftOf(api)).toEqual({ jobs: 150, batches: 1, drafts: 0, created: 150 });
  });

  it("can be used again after a show that could not be read", async () => {
    const nodes = showNodes(answering(showOf(["One"]).slice(0, -1)));
    const api = await createTestApi(nodes);
    expect((await post(api, {}, key)).status).toBe(504);
    expect((await post(api, {}, key)).status).toBe(504);
    expect(nodes.asked).toHaveLength(2);
  });
});

describe("a process that dies while it creates a show", () => {
  it.each(["before", "after"] as const)(
    "leaves all of it or nothing, if it dies just %s any of its queries",
    async (when) => {
      const { database, live, dieAt, hasDied } = dyingDatabase();
      const api = await createTestApi({ ...showNodes(answering(showOf(titles(5000)))), database });
      // Fills the isolate's caches.
      await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp3" } });
      const clean = { jobs: 1, batches: 0, drafts: 0, created: 1 };
      let isCreated = false;
      for (let query = 1; !isCreated; query += 1) {
        dieAt(query, when);
        const { status } = await post(api);
        expect(status).toBe(hasDied() ? 500 : 200);
        dieAt(Number.POSITIVE_INFINITY, when);
        api.clock.now += 10 * 60_000;
        await deleteStaleDrafts({ ...api.dependencies, database: live });
        const left = await leftOf(api);
        isCreated = left.batches === 1;
        expect(left).toEqual(isCreated ? { jobs: 5001, batches: 1, drafts: 0, created: 5001 } : clean);
      }
      const { status } = await post(api);
      expect(status).toBe(200);
    },
  );
});

test("drafts are kept while their show may still be read", async () => {
  const api = await apiWith([]);
  const draft = { firstPlace: 0, count: 1, episodes: "[]" };
  await saveDraft(api.dependencies, api.account.id, "batch", draft);
  api.clock.now += defaultLimits.showLookMs + defaultLimits.showExtractionMs;
  await deleteStaleDrafts(api.dependencies);
  expect((await leftOf(api)).drafts).toBe(1);
  api.clock.now += 10 * 60_000;
  await deleteStaleDrafts(api.dependencies);
  expect((await leftOf(api)).drafts).toBe(0);
});

test("a show with missing drafts is not created", async () => {
  const api = await apiWith([]);
  const { dependencies, account } = api;
  await saveDraft(dependencies, account.id, "batch", {
    firstPlace: 0,
    count: 1,
    episodes: `[{"id":"a","url":"https://media.example/"}]`,
  });
  const batch = { accountId: account.id, batchId: "batch", url, folder: "", webhookUrl: null };
  const making = createBatchFromDrafts(dependencies, { ...batch, options: noOptions, total: 2 }, null);
  await expect(making).rejects.toThrow("NOT NULL");
  expect(await leftOf(api)).toEqual({ jobs: 0, batches: 0, drafts: 1, created: 0 });
});

/** An account's shows in the database. */
async function leftOf({ account, dependencies }: TestApi) {
  const [left] = await dependencies.database.all<{
    jobs: number;
    batches: number;
    drafts: number;
    created: number;
  }>(sql`
    SELECT (SELECT count(*) FROM jobs WHERE account_id = ${account.id}) AS jobs,
      (SELECT count(*) FROM batches WHERE account_id = ${account.id}) AS batches,
      (SELECT count(*) FROM show_drafts WHERE account_id = ${account.id}) AS drafts,
      (SELECT jobs_created FROM account_counters WHERE account_id = ${account.id}) AS created`);
  if (left === undefined) throw new Error("A select without a table has one row");
  return left;
}

function privateEpisode(): ShowLine[] {
  return showOf(["One"]).with(2, { kind: "episode", url: "http://10.0.0.1/a.mp3", title: "One" });
}
