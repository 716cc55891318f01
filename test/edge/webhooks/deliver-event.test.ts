import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { NodeTable } from "../../../edge/cluster/node-table.ts";
import { sweep } from "../../../edge/cluster/sweep.ts";
import { createJobs } from "../../../edge/jobs/create-jobs.store.ts";
import worker from "../../../edge/worker.ts";
import { claimEvents } from "../../../edge/webhooks/webhook-event.store.ts";
import { newJob } from "../support/test-account.ts";
import { createWebhookTest, hookUrl, type WebhookTest } from "../support/test-webhooks.ts";

const status =
  (code: number, headers: Record<string, string> = {}) =>
  () =>
    new Response("no", { status: code, headers });
const minute = 60_000;

/** What the registry's alarm does, without any nodes. */
const sweepOf = ({ dependencies }: WebhookTest) =>
  sweep(dependencies, new NodeTable(dependencies.newId), {
    read: async () => new Map(),
    write: async () => undefined,
  });

describe("the payload", () => {
  it("of a completed job has all its fields, with working URLs of its files", async () => {
    const test = await createWebhookTest();
    const id = await test.createJob();
    await test.complete(id);
    await test.deliver();
    const [first] = test.received;
    const payload = test.verify(first, await test.secret());
    expect(payload).toEqual({
      type: "job_completed",
      job_id: id,
      status: "Completed",
      url: "https://media.example/talk.mp4",
      storage_key: "talk.mp4",
      storage_url: expect.stringContaining(`/${test.account.id}/${id}/talk.mp4?`),
      subtitle_url: expect.stringContaining(`/${test.account.id}/${id}/talk.en.vtt?`),
      file_size: 1000,
      error: null,
      error_code: null,
      timestamp: test.clock.now,
    });
    expect(first).toMatchObject({ url: hookUrl, method: "POST", redirect: "manual" });
    expect(first?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": (await test.events())[0]?.id,
      "webhook-timestamp": String(test.clock.now / 1000),
    });
  });

  it("of a failed job has the error, and null for everything else", async () => {
    const test = await createWebhookTest();
    const id = await test.createJob();
    await test.dependencies.database.run(
      sql`UPDATE jobs SET status = 'Processing', claim = 1 WHERE id = ${id}`,
    );
    await test.apply(id, { type: "fail", claim: 1, code: "video_unavailable" });
    await test.deliver();
    expect(test.verify(test.received[0], await test.secret())).toEqual({
      type: "job_failed",
      job_id: id,
      status: "Failed",
      url: "https://media.example/talk.mp4",
      storage_key: null,
      storage_url: null,
      subtitle_url: null,
      file_size: null,
      error: "Video unavailable",
      error_code: "video_unavailable",
      timestamp: test.clock.now,
    });
  });

  it("of a cancelled job is that of a failed job", async () => {
    const test = await createWebhookTest();
    await test.apply(await test.createJob(), { type: "cancel_queued" });
    await test.deliver();
    expect(test.verify(test.received[0], await test.secret())).toMatchObject({
      type: "job_failed",
      error: "Job cancelled by user",
      error_code: "cancelled",
    });
  });

  it("of a batch has only its counts, and is sent once, with none for its jobs", async () => {
    const test = await createWebhookTest();
    const { dependencies, account } = test;
    const batch = { id: dependencies.newId(), folder: "Show" };
    const jobs = [1, 2].map(() => newJob(dependencies, { webhookUrl: hookUrl }));
    await createJobs(dependencies, { accountId: account.id, jobs, batch, keptAnswer: null });
    await dependencies.database.run(sql`
      UPDATE batches SET show_url = 'https://media.example/feed', webhook_url = ${hookUrl} WHERE id = ${batch.id}`);
    await test.complete(jobs[0]?.id ?? "");
    await test.deliver();
    expect(test.received).toEqual([]);
    await test.apply(jobs[1]?.id ?? "", { type: "cancel" });
    await test.deliver();
    expect(test.received).toHaveLength(1);
    expect(test.verify(test.received[0], await test.secret())).toEqual({
      type: "batch_completed",
      batch_id: batch.id,
      show_url: "https://media.example/feed",
      folder: "Show",
      completed: 1,
      failed: 1,
      total: 2,
    });
    expect(await test.deliveries(`?batch_id=${batch.id}`)).toMatchObject({
      total: 1,
      deliveries: [{ type: "batch_completed", batch_id: batch.id, job_id: null }],
    });
  });

  it("is not sent for a job without a webhook", async () => {
    const test = await createWebhookTest();
    await test.apply(await test.createJob({ webhook_url: null }), { type: "cancel_queued" });
    expect(test.messages).toEqual([]);
    expect(await test.events()).toEqual([]);
  });
});

describe("a delivery", () => {
  it("answered with a 2xx is done, and logged", async () => {
    const test = await createWebhookTest();
    const id = await test.createJob();
    await test.complete(id);
    await test.deliver();
    const [event] = await test.events();
    expect(event).toMatchObject({ type: "job_completed", tries: 1, next_try_at: null });
    expect(await test.deliveries()).toEqual({
      deliveries: [
        {
          id: expect.any(String),
          event_id: event?.id,
          type: "job_completed",
          job_id: id,
          batch_id: null,
          try: 1,
          http_status: 204,
          error: null,
          created_at: test.clock.now,
          next_try_at: null,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
    });
    test.clock.now += 24 * 60 * minute;
    await sweepOf(test);
    expect(test.messages).toEqual([]);
  });

  it("is tried seven times under one id, following the schedule, and then listed as failed", async () => {
    const test = await createWebhookTest();
    test.answers.push(...Array.from({ length: 9 }, () => status(500)));
    await test.apply(await test.createJob(), { type: "cancel_queued" });
    await test.deliver();
    const startedAt: number[] = [test.clock.now];
    for (;;) {
      const [event] = await test.events();
      if (event?.next_try_at === null || event === undefined) break;
      test.messages.length = 0;
      test.clock.now = event.next_try_at - 1;
      await sweepOf(test);
      expect(test.messages).toEqual([]);
      test.clock.now = event.next_try_at;
      expect(await sweepOf(test)).toMatchObject({ unfinished: true });
      expect(test.messages).toEqual([{ eventId: event.id, delaySeconds: 0 }]);
      await test.deliver();
      startedAt.push(test.clock.now);
    }
    expect(startedAt.map((time, index) => (time - (startedAt[index - 1] ?? time)) / 1000)).toEqual([
      0, 5, 300, 1800, 7200, 18_000, 36_000,
    ]);
    const secret = await test.secret();
    expect(new Set(test.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(test.received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(7);
    expect(test.verify(test.received.at(-1), secret)).toMatchObject({ type: "job_failed" });
    const { deliveries, total } = await test.deliveries();
    expect(total).toBe(7);
    expect(deliveries.map((entry: { try: number }) => entry.try)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(deliveries[0]).toMatchObject({ http_status: 500, error: "HTTP 500", next_try_at: null });
    expect(deliveries[6]).toMatchObject({ next_try_at: startedAt[1] });
  });

  it("is queued at once for a retry that is due soon", async () => {
    const test = await createWebhookTest();
    test.answers.push(status(500), status(500));
    await test.apply(await test.createJob(), { type: "cancel_queued" });
    await test.deliver();
    const [event] = await test.events();
    expect(test.messages).toEqual([{ eventId: event?.id, delaySeconds: 5 }]);
    test.clock.now += 5000;
    await test.deliver();
    expect(test.received).toHaveLength(2);
    expect(test.messages).toEqual([]);
  });

  it("waits for as long as the receiver asks", async () => {
    const test = await createWebhookTest();
    test.answers.push(status(429, { "retry-after": "3600" }));
    await test.apply(await test.createJob(), { type: "cancel_queued" });
    await test.deliver();
    expect(await test.events()).toMatchObject([{ next_try_at: test.clock.now + 60 * minute }]);
  });

  it("ends if the receiver answers 410", async () => {
    const test = await createWebhookTest();
    test.answers.push(status(410));
    await test.apply(await test.createJob(), { type: "cancel_queued" });
    await test.deliver();
    expect(await test.events()).toMatchObject([{ tries: 1, next_try_at: null }]);
    expect((await test.deliveries()).deliveries).toMatchObject([{ http_status: 410, error: "HTTP 410" }]);
  });

  it("signs its URLs again for each try, and has none once the file is deleted", async () => {
    const test = await createWebhookTest();
    test.answers.push(status(500), status(500));
    const id = await test.createJob();
    await test.complete(id);
    await test.deliver();
    test.clock.now += 5000;
    await test.deliver();
    await test.dependencies.database.run(sql`UPDATE jobs SET storage_key = NULL WHERE id = ${id}`);
    test.clock.now += 5 * minute;
    await sweepOf(test);
    await test.deliver();
    const [first, second, third] = test.received.map(({ body }) => JSON.parse(body));
    expect(new URL(first.storage_url).searchParams.get("X-Amz-Date")).toBe("20260131T120000Z");
    expect(new URL(second.storage_url).searchParams.get("X-Amz-Date")).toBe("20260131T120005Z");
    expect(third).toMatchObject({
      storage_key: null,
      storage_url: null,
      subtitle_url: null,
      file_size: 1000,
    });
    expect(third.timestamp).toBe(first.timestamp);
  });
});

describe("messages", () => {
  it("duplicated in one batch or sent at once cause one try", async () => {
    const test = await createWebhookTest();
    await test.apply(await test.createJob(), { type: "cancel_queued" });
    const eventId = test.takeMessage();
    await Promise.all([test.consume([eventId, eventId]), test.consume([eventId]), test.consume([eventId])]);
    await test.consume([eventId]);
    expect(test.received).toHaveLength(1);
    expect((await test.deliveries()).total).toBe(1);
  });

  it("lost on the way are resent by the sweep", async () => {
    const test = await createWebhookTest();
    await test.apply(await test.createJob(), { type: "cancel_queued" });
    const lost = test.messages.splice(0);
    expect(await sweepOf(test)).toMatchObject({ unfinished: true });
    expect(test.messages).toEqual(lost);
    await test.deliver();
    expect(test.received).toHaveLength(1);
  });

  it("that cannot be queued do not keep the job from ending", async () => {
    const test = await createWebhookTest();
    const id = await test.createJob();
    test.dependencies.webhooks.sendBatch = () => Promise.reject(new Error("queue down"));
    await test.apply(id, { type: "cancel_queued" });
    expect(await test.events()).toMatchObject([{ tries: 0, next_try_at: test.clock.now }]);
  });

  it("about unknown events are ignored", async () => {
    const test = await createWebhookTest();
    await test.consume(["no such event"]);
    expect(test.received).toEqual([]);
  });
});

describe("a try that is lost with its Worker", () => {
  it("is repeated a minute later", async () => {
    const test = await createWebhookTest();
    await test.apply(await test.createJob(), { type: "cancel_queued" });
    const eventId = test.takeMessage();
    expect(await claimEvents(test.dependencies, [eventId])).toHaveLength(1);
    test.clock.now += minute - 1;
    await test.consume([eventId]);
    expect(test.received).toEqual([]);
    test.clock.now += 1;
    await sweepOf(test);
    await test.deliver();
    expect((await test.deliveries()).deliveries).toMatchObject([{ try: 2, http_status: 204 }]);
  });

  it("and answered late does not end the one started in the meantime", async () => {
    const test = await createWebhookTest();
    await test.apply(await test.createJob(), { type: "cancel_queued" });
    const eventId = test.takeMessage();
    let answer: (response: Response) => void = () => undefined;
    test.answers.push(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const slow = test.consume([eventId]);
    await expect.poll(() => test.received.length).toBe(1);
    test.clock.now += minute;
    test.answers.push(status(500));
    await test.consume([eventId]);
    const [before] = await test.events();
    answer(new Response(null, { status: 204 }));
    await slow;
    expect(await test.events()).toEqual([before]);
    expect((await test.deliveries()).total).toBe(2);
  });
});

describe("a payload that cannot be built", () => {
  it("is a failed try, without the reason in the log", async () => {
    const test = await createWebhookTest();
    await test.apply(await test.createJob(), { type: "cancel_queued" });
    await test.dependencies.database.run(
      sql`UPDATE accounts SET webhook_secret = 'not encrypted' WHERE id = ${test.account.id}`,
    );
    const quiet = { ...test.dependencies.log, error: () => undefined };
    Object.assign(test.dependencies.log, { with: () => quiet });
    await test.deliver();
    expect(test.received).toEqual([]);
    expect((await test.deliveries()).deliveries).toMatchObject([
      { try: 1, http_status: null, error: "Internal error", next_try_at: test.clock.now + 5000 },
    ]);
  });
});

it("the Worker's consumer recognizes the webhook queue by its name", async () => {
  const test = await createWebhookTest();
  await test.apply(await test.createJob(), { type: "cancel_queued" });
  const [event] = await test.events();
  // A forbidden address: this Worker has the real network.
  await test.dependencies.database.run(sql`UPDATE webhook_events SET url = 'http://127.0.0.1/'`);
  vi.spyOn(console, "info").mockReturnValue();
  const context = createExecutionContext();
  await worker.queue(
    {
      queue: "ferry-webhooks",
      messages: [
        {
          id: "1",
          timestamp: new Date(0),
          body: { eventId: event?.id },
          attempts: 1,
          ack: () => undefined,
          retry: () => undefined,
        },
      ],
      metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
      ackAll: () => undefined,
      retryAll: () => undefined,
    },
    env,
    context,
  );
  await waitOnExecutionContext(context);
  expect((await test.deliveries()).deliveries).toMatchObject([
    { event_id: event?.id, http_status: null, error: "URL not allowed", next_try_at: null },
  ]);
});
