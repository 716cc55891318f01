import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../system/support/webhook-receiver.ts";
import { ask, askUntil, createJob, errorOf, runJob } from "./support/api.ts";
import { media, target } from "./support/target.ts";

const url = media(mediaFiles.mp3);
const nobody = "00000000-0000-7000-8000-000000000000";
const secretOf = async () => (await ask("GET", "/user/webhook-secret")).body.secret;
const deliveriesOf = (jobId: string, count = 1) =>
  askUntil(`/webhooks/deliveries?job_id=${jobId}`, ({ total }) => total >= count);

test("the secret is whsec_ and base64, and the same on every request [webhook-secret]", async () => {
  const secret = await secretOf();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);
  expect(await secretOf()).toBe(secret);
});

test("deliveries are paged and filtered, and reject invalid values [deliveries]", async () => {
  const { body } = await ask("GET", `/webhooks/deliveries?job_id=${nobody}&limit=5`);
  expect(body).toEqual({ deliveries: [], total: 0, limit: 5, offset: 0 });
  expect(errorOf(await ask("GET", "/webhooks/deliveries?job_id=x"))[1]).toBe("Invalid job id");
  expect(errorOf(await ask("GET", "/webhooks/deliveries?batch_id=x"))[1]).toBe("Invalid batch id");
  expect(errorOf(await ask("GET", "/webhooks/deliveries?limit=101"))[1]).toMatch(/^limit must be/);
  const missing = await ask("POST", `/webhooks/deliveries/${nobody}/redeliver`);
  expect(errorOf(missing)).toEqual([404, "Delivery not found", "delivery_not_found"]);
});

describe.skipIf(!target.isOnThisMachine)("a webhook", () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(() => receiver.close());
  /** The webhooks received for a job at its own path. */
  const received = async (path: string, count = 1) => {
    while (receiver.at(path).length < count) await ask("GET", "/health");
    return receiver.at(path);
  };

  test("reports a completed job, signed, with working URLs of the file [webhook-payload, webhook-signature, webhook-once]", async () => {
    const job = await runJob({ url, webhook_url: `${receiver.url}/completed` });
    const [delivery] = await received("/completed");
    const payload = new Webhook(await secretOf()).verify(delivery?.body ?? "", delivery?.headers ?? {});
    expect(payload).toEqual({
      type: "job_completed",
      job_id: job.id,
      status: "Completed",
      url,
      storage_key: job.storage_key,
      storage_url: expect.stringMatching(/X-Amz-Signature=/),
      subtitle_url: null,
      file_size: job.file_size,
      error: null,
      error_code: null,
      timestamp: job.finished_at,
    });
    const { deliveries, total } = await deliveriesOf(job.id);
    expect(total).toBe(1);
    expect(deliveries[0]).toMatchObject({
      event_id: delivery?.headers["webhook-id"],
      type: "job_completed",
      job_id: job.id,
      batch_id: null,
      try: 1,
      http_status: 204,
      error: null,
      next_try_at: null,
    });
    expect(receiver.at("/completed")).toHaveLength(1);
  });

  test("reports a failed job, and a cancelled one [webhook-failed, webhook-cancelled]", async () => {
    await runJob({ url: media("status/404"), webhook_url: `${receiver.url}/failed` });
    const slow = media(`slow/${mediaFiles.mp4}?bytes_per_second=100000`);
    const cancelled = await createJob({ url: slow, webhook_url: `${receiver.url}/cancelled` });
    await ask("POST", `/jobs/${cancelled}/cancel`);
    const bodies = [];
    for (const path of ["/failed", "/cancelled"])
      bodies.push(JSON.parse((await received(path))[0]?.body ?? ""));
    expect(bodies[0]).toMatchObject({
      type: "job_failed",
      error_code: "video_unavailable",
      storage_url: null,
    });
    expect(bodies[1]).toMatchObject({ type: "job_failed", error: "Job cancelled by user", file_size: null });
  });

  test("that is not answered with a 2xx is retried under the same id [webhook-retry]", async () => {
    const { id } = await runJob({ url, webhook_url: `${receiver.url}/flaky-one` });
    const tries = await received("/flaky-one", 2);
    expect(tries[1]?.headers["webhook-id"]).toBe(tries[0]?.headers["webhook-id"]);
    const { deliveries } = await deliveriesOf(id, 2);
    expect(deliveries.map((one: { http_status: number }) => one.http_status)).toEqual([204, 500]);
    expect(deliveries[1].next_try_at).toBeGreaterThan(deliveries[1].created_at);
  });

  test("follows no redirect [webhook-redirect]", async () => {
    const { id } = await runJob({ url, webhook_url: `${receiver.url}/moved-one` });
    const { deliveries } = await deliveriesOf(id);
    expect(deliveries[0].http_status).toBe(302);
    expect(receiver.at("/elsewhere")).toEqual([]);
  });

  test("is resent on request, under the same id [redeliver]", async () => {
    const { id } = await runJob({ url, webhook_url: `${receiver.url}/again` });
    const { deliveries } = await deliveriesOf(id);
    const { status, body } = await ask("POST", `/webhooks/deliveries/${deliveries[0].id}/redeliver`);
    expect([status, Object.keys(body).toSorted()]).toEqual([200, ["delivery_id", "message"]]);
    const both = await received("/again", 2);
    expect(both[1]?.headers["webhook-id"]).toBe(both[0]?.headers["webhook-id"]);
  });

  test("of a retried job is sent to the original's URL [retry-webhook]", async () => {
    const original = await runJob({ url: media("status/404"), webhook_url: `${receiver.url}/retried` });
    await ask("POST", `/jobs/${original.id}/retry`);
    expect(await received("/retried", 2)).toHaveLength(2);
  });

  test("is signed with both secrets after a rotation [webhook-rotation]", async () => {
    const before = await secretOf();
    const { body } = await ask("POST", "/user/webhook-secret/rotate");
    expect(body.secret).not.toBe(before);
    expect(await secretOf()).toBe(body.secret);
    const hours = (body.previous_valid_until - Date.now()) / 3_600_000;
    expect(Math.abs(hours - 24)).toBeLessThan(0.1);
    await runJob({ url, webhook_url: `${receiver.url}/rotated` });
    const [delivery] = await received("/rotated");
    for (const secret of [before, body.secret]) {
      expect(new Webhook(secret).verify(delivery?.body ?? "", delivery?.headers ?? {})).toMatchObject({
        type: "job_completed",
      });
    }
  });
});
