import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import type { Origin } from "../../scripts/origin/serve-origin.ts";
import { startTestOrigin } from "../origin/test-origin.ts";
import { openApi, type Api } from "./support/api.ts";
import { urlSecret } from "./support/planted-secrets.ts";
import { useSharedSystem } from "./support/shared-system.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./support/webhook-receiver.ts";

/** How long to wait for a condition, in milliseconds. */
const patience = 60_000;

let origin: Origin;
let receiver: WebhookReceiver;
let api: Api;
let secret: string;

beforeAll(async () => {
  origin = await startTestOrigin();
  receiver = await startWebhookReceiver();
  api = await openApi(await useSharedSystem("webhooks"));
  secret = (await api.ask("GET", "/user/webhook-secret")).body.secret;
});
afterAll(async () => {
  await receiver.close();
  await origin.close();
});

/** Creates a job with a webhook to the path and returns its id. */
function createJob(path: string, source: string = mediaFiles.mp4): Promise<string> {
  return api.createJob({
    url: `${origin.url}/${source}`,
    webhook_url: `${receiver.url}${path}?token=${urlSecret}`,
  });
}

/** Waits for this many webhooks at the path; each must be genuine. */
async function received(path: string, count = 1) {
  await vi.waitFor(() => expect(receiver.at(path).length).toBeGreaterThanOrEqual(count), patience);
  return receiver.at(path).map(({ body, headers }) => ({
    id: headers["webhook-id"],
    // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unsafe-type-assertion -- each test checks what it expects
    payload: new Webhook(secret).verify(body, headers) as any,
  }));
}

/** The log's entries of a job, newest first. */
async function deliveriesOf(jobId: string) {
  const { body } = await api.ask("GET", "/webhooks/deliveries");
  return body.deliveries.filter((delivery: { job_id: string }) => delivery.job_id === jobId);
}

test("a completed job notifies its receiver once, signed, with working URLs of the file", async () => {
  const id = await createJob("/completed");
  const job = await api.waitForEnd(id);
  const [{ payload } = { payload: null }] = await received("/completed");
  expect(payload).toEqual({
    type: "job_completed",
    job_id: id,
    status: "Completed",
    url: job.url,
    storage_key: job.storage_key,
    storage_url: expect.any(String),
    subtitle_url: null,
    file_size: job.file_size,
    error: null,
    error_code: null,
    timestamp: job.finished_at,
  });
  const file = await fetch(payload.storage_url);
  expect((await file.arrayBuffer()).byteLength).toBe(job.file_size);
  await vi.waitFor(
    async () =>
      expect(await deliveriesOf(id)).toMatchObject([{ try: 1, http_status: 204, next_try_at: null }]),
    patience,
  );
  expect(receiver.at("/completed")).toHaveLength(1);
});

test("a failed job reports its error, and a failed delivery is retried under the same id", async () => {
  const id = await createJob("/flaky", "no-such-file.mp4");
  const job = await api.waitForEnd(id);
  const [first, second] = await received("/flaky", 2);
  expect(first?.payload).toEqual({
    type: "job_failed",
    job_id: id,
    status: "Failed",
    url: job.url,
    storage_key: null,
    storage_url: null,
    subtitle_url: null,
    file_size: null,
    error: job.error,
    error_code: job.error_code,
    timestamp: job.finished_at,
  });
  expect(second).toEqual(first);
  await vi.waitFor(
    async () =>
      expect(await deliveriesOf(id)).toMatchObject([
        { try: 2, http_status: 204, next_try_at: null },
        { try: 1, http_status: 500, error: "HTTP 500", next_try_at: expect.any(Number) },
      ]),
    patience,
  );
});

test("a hanging receiver does not delay others, and redirects are not followed", async () => {
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => createJob("/hangs", "no-such-file.mp4")));
  const hanging = (await received("/hangs", 6)).at(-1);
  const moved = await createJob("/moved", "no-such-file.mp4");
  await vi.waitFor(
    async () => expect(await deliveriesOf(moved)).toMatchObject([{ http_status: 302, error: "HTTP 302" }]),
    patience,
  );
  expect(await deliveriesOf(hanging?.payload.job_id)).toEqual([]);
  expect(receiver.at("/elsewhere")).toEqual([]);
});

test("a delivery is resent on request", async () => {
  const id = await createJob("/again", "no-such-file.mp4");
  await received("/again");
  const delivery = await vi.waitFor(async () => {
    const [entry] = await deliveriesOf(id);
    expect(entry).toBeDefined();
    return entry;
  }, patience);
  const { status } = await api.ask("POST", `/webhooks/deliveries/${delivery.id}/redeliver`);
  expect(status).toBe(200);
  const [first, second] = await received("/again", 2);
  expect(second).toEqual(first);
  expect(second?.id).toBe(delivery.event_id);
});
