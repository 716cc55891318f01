import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { feedText, type MadeShow } from "../../scripts/origin/make-feed.ts";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import type { Origin } from "../../scripts/origin/serve-origin.ts";
import { startTestHost, type TestHost } from "../origin/test-host.ts";
import { startTestOrigin } from "../origin/test-origin.ts";
import { openApi, type Api } from "./support/api.ts";
import { useSharedSystem } from "./support/shared-system.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./support/webhook-receiver.ts";

/** How long to wait for a condition, in milliseconds. */
const patience = 120_000;

let origin: Origin;
/** Serves the feeds, and Apple's look-ups of them; the origin serves the media. */
let host: TestHost;
let receiver: WebhookReceiver;
let api: Api;

beforeAll(async () => {
  const system = await useSharedSystem("shows");
  origin = await startTestOrigin();
  host = await startTestHost(system.lookupPort);
  receiver = await startWebhookReceiver();
  api = await openApi(system);
});
afterAll(async () => {
  await receiver.close();
  await host.close();
  await origin.close();
});

function showOf(title: string, episodes: readonly { title: string; path: string }[]): MadeShow {
  return {
    title,
    episodes: episodes.map((episode, index) => ({
      guid: `${title}-${index}`,
      title: episode.title,
      url: `${origin.url}/${episode.path}`,
      type: "audio/mpeg",
    })),
  };
}

const podcast = (number: number) => `episode/${number}/${mediaFiles.mp3}`;

async function createShow(request: object) {
  const { status, body } = await api.ask("POST", "/jobs", request);
  expect(status).toBe(200);
  return body;
}

function ended(batchId: string) {
  return vi.waitFor(
    async () => {
      const { body } = await api.ask("GET", `/batch/${batchId}`);
      expect(body.status).not.toBe("processing");
      return body;
    },
    { timeout: patience, interval: 200 },
  );
}

async function jobsOf(batch: { episode_jobs: string[] }) {
  return Promise.all(batch.episode_jobs.map(async (id) => (await api.ask("GET", `/jobs/${id}`)).body));
}

const usageCount = async () => (await api.ask("GET", "/usage")).body.usage_count;

test("every episode of a show becomes a file named after it, in a folder named after the show", async () => {
  const before = await usageCount();
  const titles = ["Arrival", "Same", "Same", "Q & A: <live>, part 2/3", "Ünïcode 🎙 日本"];
  const show = showOf(
    "Harbour: talks/…",
    titles.map((title, index) => ({ title, path: podcast(index) })),
  );
  host.answers["/show"] = feedText(show, "rss");
  const request = { url: `${host.url}/show`, webhook_url: `${receiver.url}/batch`, filename: "ignored" };
  const created = await createShow(request);
  expect(created).toEqual({
    batch_id: expect.any(String),
    total_episodes: 5,
    episode_jobs: expect.any(Array),
  });
  expect(await usageCount()).toBe(before + 5);

  const batch = await ended(created.batch_id);
  expect(batch).toEqual({
    id: created.batch_id,
    show_url: request.url,
    status: "completed",
    folder: "Harbour talks",
    total_episodes: 5,
    completed_episodes: 5,
    failed_episodes: 0,
    episode_jobs: created.episode_jobs,
  });
  const jobs = await jobsOf(batch);
  expect(jobs.map(({ url, storage_key }) => [url, storage_key])).toEqual(
    ["Arrival", "Same", "Same (2)", "Q & A live, part 23", "Ünïcode 日本"].map((name, index) => [
      show.episodes[index]?.url,
      `Harbour talks/${name}.mp3`,
    ]),
  );
  for (const { storage_url, file_size } of jobs) {
    expect((await (await fetch(storage_url)).arrayBuffer()).byteLength).toBe(file_size);
  }
  await vi.waitFor(() => expect(receiver.at("/batch")).toHaveLength(1), patience);
  expect(JSON.parse(receiver.at("/batch")[0]?.body ?? "")).toMatchObject({
    type: "batch_completed",
    batch_id: created.batch_id,
    show_url: request.url,
    folder: "Harbour talks",
    completed: 5,
    failed: 0,
    total: 5,
  });
  const { body } = await api.ask("GET", "/dashboard/batches");
  expect(body.batches[0]).toMatchObject({ id: created.batch_id, status: "completed" });
});

test("a failed episode states the reason, and is retried alone without changing the batch", async () => {
  host.answers["/late.mp3"] = (_request, response) => void response.writeHead(404).end();
  const show = showOf("Gaps", [{ title: "Here", path: podcast(1) }]);
  const missing = { guid: "late", title: "Late", url: `${host.url}/late.mp3`, type: "audio/mpeg" };
  host.answers["/gaps"] = feedText({ ...show, episodes: [...show.episodes, missing] }, "atom");
  const created = await createShow({ url: `${host.url}/gaps`, folder: "mine/here" });
  const batch = await ended(created.batch_id);
  expect(batch).toMatchObject({
    status: "finished",
    folder: "mine/here",
    completed_episodes: 1,
    failed_episodes: 1,
  });
  const [here, late] = await jobsOf(batch);
  expect(here).toMatchObject({ status: "Completed", storage_key: "mine/here/Here.mp3" });
  expect(late).toMatchObject({
    status: "Failed",
    error: "Video unavailable",
    error_code: "video_unavailable",
  });

  const media = await (await fetch(`${origin.url}/${mediaFiles.mp3}`)).arrayBuffer();
  host.answers["/late.mp3"] = Buffer.from(media);
  const { body: retried } = await api.ask("POST", `/jobs/${late.id}/retry`);
  expect(await api.waitForEnd(retried.job_id)).toMatchObject({
    status: "Completed",
    storage_key: "mine/here/Late.mp3",
    batch_id: null,
  });
  expect(await ended(created.batch_id)).toEqual(batch);
});

test("an Apple Podcasts page is a show, read from the feed that the lookup returns", async () => {
  host.answers["/lookup"] = JSON.stringify({ results: [{ feedUrl: `${host.url}/apple-feed` }] });
  host.answers["/apple-feed"] = feedText(showOf("Apple", [{ title: "One", path: podcast(1) }]), "json");
  const created = await createShow({ url: "https://podcasts.apple.com/us/podcast/apple/id42" });
  expect(await ended(created.batch_id)).toMatchObject({ status: "completed", folder: "Apple" });
});

test("at most a hundred episodes of a show are downloaded at once", async () => {
  const media = Buffer.from(await (await fetch(`${origin.url}/${mediaFiles.mp3}`)).arrayBuffer());
  const waiting: ServerResponse[] = [];
  let open = 0;
  let most = 0;
  const paths = Array.from({ length: 130 }, (_, index) => `/large/${index}.mp3`);
  for (const path of paths) {
    host.answers[path] = (_request, response) => {
      open += 1;
      most = Math.max(most, open);
      response.once("close", () => {
        open -= 1;
      });
      waiting.push(response);
    };
  }
  const episodes = paths.map((path) => ({
    guid: path,
    title: path,
    url: host.url + path,
    type: "audio/mpeg",
  }));
  host.answers["/many"] = feedText({ title: "Many", episodes }, "rss");
  const { batch_id } = await createShow({ url: `${host.url}/many` });
  await vi.waitUntil(() => open === 100, { timeout: patience });
  const { body: held } = await api.ask("GET", `/jobs?batch_id=${batch_id}&status=pending`);
  expect(held.total).toBe(30);

  const answering = setInterval(() => waiting.splice(0, 10).forEach((response) => response.end(media)), 20);
  try {
    expect(await ended(batch_id)).toMatchObject({ status: "completed", completed_episodes: 130 });
  } finally {
    clearInterval(answering);
  }
  expect(most).toBe(100);
});

test.each([
  ["has no episodes", "/empty", () => feedText({ title: "Empty", episodes: [] }, "rss"), "No episodes found"],
  [
    "is too large",
    "/large",
    () => `<rss><channel>${" ".repeat(60_000_000)}</channel></rss>`,
    "Unsupported URL",
  ],
])("a show that %s creates nothing", async (_what, path, content, error) => {
  const before = await usageCount();
  host.answers[path] = content();
  const { status, body } = await api.ask("POST", "/jobs", { url: host.url + path });
  expect([status, body.error]).toEqual([400, error]);
  expect(await usageCount()).toBe(before);
});

test.each(["/words", "/words.rss"])("a page that is not a show becomes a single job: %s", async (path) => {
  host.answers[path] = "<html><body>Nothing here</body></html>";
  const id = await api.createJob({ url: host.url + path });
  expect(await api.waitForEnd(id)).toMatchObject({ status: "Failed", batch_id: null });
});
