import { expect, it, vi } from "vitest";
import type { JobNews, LiveState } from "../../../edge/cluster/job-news.ts";
import type { JobRow } from "../../../edge/jobs/find-job.store.ts";
import { findJob } from "../../../edge/jobs/find-job.store.ts";
import {
  followedForMs,
  followJob,
  lookEveryMs,
  type SeenJob,
  silenceMaxMs,
} from "../../../edge/jobs/follow-job.ts";
import { createTestApi } from "../support/test-api.ts";

const pending = await createPendingRow();
const working: JobRow = { ...pending, status: "Processing", step: "Downloading", claim: 1 };
const completed: JobRow = { ...working, status: "Completed", step: "Finished" };

async function createPendingRow(): Promise<JobRow> {
  const api = await createTestApi();
  const { body } = await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } });
  const row = await findJob(api.dependencies.database, api.account.id, body.job_id);
  if (row === null) throw new Error("The job is not there");
  return row;
}

const live = (claim: number, sequence: number, step: LiveState["step"] = "Downloading"): LiveState => ({
  kind: "live",
  claim,
  sequence,
  step,
  progress: {
    percent: sequence,
    bytes_downloaded: 0,
    bytes_total: null,
    speed_bytes_per_second: 0,
    eta_seconds: null,
  },
});
const moved: JobNews = { kind: "moved" };

/** Follows a job whose row, news and clock the test controls. */
function follow(start: JobRow, knownId: string | null = null) {
  const gone = new AbortController();
  const world = {
    seen: { row: start, live: null } as SeenJob | null,
    now: 0,
    looks: 0,
    /** Subscriptions started, and those still open. */
    subscribed: 0,
    open: 0,
    said: [] as string[],
    isOver: false,
    /** The wait that the follower is in; null if none. */
    waiting: null as { until: number; done: () => void } | null,
    hear: null as ((news: JobNews | null) => void) | null,
    leave: () => gone.abort(),
    /** Lets time pass; the follower's waits end at their times. */
    async pass(ms: number) {
      const end = world.now + ms;
      for (;;) {
        await world.settle();
        if (world.isOver || world.waiting === null || world.waiting.until > end) break;
        world.now = world.waiting.until;
        world.waiting.done();
      }
      world.now = end;
    },
    /** Resolves once the follower waits, or has ended. */
    settle: () =>
      vi.waitFor(() => expect(world.isOver || world.waiting !== null).toBe(true), {
        interval: 1,
        timeout: 20_000,
      }),
    async tell(news: JobNews | null) {
      await world.settle();
      world.hear?.(news);
      await world.pass(0);
    },
  };
  const events = followJob(
    { row: start, live: null },
    knownId,
    {
      look: async () => {
        world.looks += 1;
        return world.seen;
      },
      watch: async () => {
        world.subscribed += 1;
        world.open += 1;
        return {
          next: () =>
            new Promise((resolve) => {
              world.hear = (news) => {
                world.waiting = null;
                resolve(news);
              };
            }),
          stop: async () => {
            world.open -= 1;
          },
        };
      },
      clock: () => world.now,
      wait: (ms, signal) =>
        new Promise((resolve) => {
          const done = () => {
            world.waiting = null;
            resolve();
          };
          world.waiting = { until: world.now + ms, done };
          signal.addEventListener("abort", () => resolve(), { once: true });
          gone.signal.addEventListener("abort", done, { once: true });
        }),
    },
    gone.signal,
  );
  const run = async () => {
    for await (const job of events) {
      world.said.push(job === null ? "alive" : `${job.id} ${job.row.step} ${job.progress?.percent ?? "-"}`);
    }
    world.isOver = true;
  };
  void run();
  return world;
}

it("reports an ended job once, without any subscription", async () => {
  const world = follow(completed, "1.0");
  await world.settle();
  expect(world.said).toEqual(["1.0 Finished -"]);
  expect([world.isOver, world.looks, world.subscribed]).toEqual([true, 0, 0]);
});

it("passes on the nodes' news, and the row's changes as soon as they are announced, to the end", async () => {
  const world = follow(pending);
  await world.pass(300);
  world.seen = { row: working, live: null };
  await world.tell(moved);
  await world.tell(live(1, 7));
  await world.tell(live(1, 8, "Muxing"));
  await world.tell(live(1, 8, "Muxing"));
  world.seen = { row: completed, live: null };
  await world.pass(300);
  await world.tell(moved);
  expect(world.said).toEqual([
    "0.0 Queued -",
    "1.0 Downloading -",
    "1.7 Downloading 7",
    "1.8 Muxing 8",
    "1.0 Finished -",
  ]);
  expect([world.isOver, world.looks, world.subscribed, world.open]).toEqual([true, 3, 1, 0]);
});

it("reads the row again once subscribed, so that nothing in between is missed", async () => {
  const world = follow(pending);
  world.seen = { row: completed, live: null };
  await world.settle();
  expect(world.said).toEqual(["1.0 Finished -"]);
  expect(world.open).toBe(0);
});

it("notices changes without any news within ten seconds", async () => {
  const world = follow(pending);
  await world.settle();
  world.seen = { row: working, live: live(1, 3) };
  await world.pass(lookEveryMs - 1);
  expect(world.said).toEqual(["0.0 Queued -"]);
  await world.pass(1);
  expect(world.said).toEqual(["0.0 Queued -", "1.3 Downloading 3"]);
});

it("ignores claims other than the row's, and reads the row when a node reports a later one", async () => {
  const world = follow(working);
  await world.pass(300);
  await world.tell(live(0, 99));
  world.seen = { row: { ...working, claim: 2 }, live: null };
  await world.tell(live(2, 1));
  await world.tell(live(1, 100));
  expect(world.said).toEqual(["1.0 Downloading -", "2.1 Downloading 1"]);
});

it("goes back neither to an old heartbeat nor to an earlier step", async () => {
  const world = follow({ ...working, step: "Uploading" });
  await world.tell(live(1, 7, "Muxing"));
  await world.tell(live(1, 6, "Downloading"));
  expect(world.said).toEqual(["1.0 Uploading -", "1.7 Uploading 7"]);
});

it("reads the row at most four times a second, whatever the news", async () => {
  const world = follow(working);
  await world.pass(0);
  for (let ms = 0; ms < 2000; ms += 10) {
    await world.tell(moved);
    await world.pass(10);
  }
  expect(world.looks).toBeLessThanOrEqual(9);
});

it("resubscribes with the next read if the registry is gone", async () => {
  const world = follow(working);
  await world.tell(null);
  expect(world.subscribed).toBe(1);
  await world.pass(lookEveryMs);
  expect(world.subscribed).toBe(2);
  await world.tell(live(1, 2));
  expect(world.said).toEqual(["1.0 Downloading -", "1.2 Downloading 2"]);
});

it("sends a keep-alive during silence, and ends after 15 minutes with a bounded number of reads", async () => {
  const world = follow(pending);
  await world.pass(silenceMaxMs - 1);
  expect(world.said).toEqual(["0.0 Queued -"]);
  await world.pass(1);
  expect(world.said).toEqual(["0.0 Queued -", "alive"]);
  await world.pass(followedForMs);
  expect([world.isOver, world.open]).toEqual([true, 0]);
  expect(world.looks).toBeLessThanOrEqual(followedForMs / lookEveryMs + 1);
  expect(world.said).toHaveLength(followedForMs / silenceMaxMs);
});

it("does not repeat the last known event, and continues from there", async () => {
  const world = follow(working, "1.7");
  world.seen = { row: working, live: live(1, 7) };
  await world.pass(0);
  expect(world.said).toEqual([]);
  await world.tell(live(1, 8));
  expect(world.said).toEqual(["1.8 Downloading 8"]);
});

it("ends when the account may no longer see the job", async () => {
  const world = follow(working);
  await world.settle();
  world.seen = null;
  await world.pass(lookEveryMs);
  expect([world.isOver, world.open]).toEqual([true, 0]);
});

it("ends at once when its reader disconnects", async () => {
  const world = follow(working);
  await world.pass(0);
  world.leave();
  await world.settle();
  await vi.waitFor(() => expect([world.isOver, world.open]).toEqual([true, 0]), { timeout: 20_000 });
});
