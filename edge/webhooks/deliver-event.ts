import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import { nextTryAt } from "./retry-schedule.ts";
import { sendWebhook, type TryResult } from "./send-webhook.ts";
import { webhookHeaders } from "./sign-webhook.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";
import { type ClaimedEvent, recordTry } from "./webhook-event.store.ts";
import { webhookPayload } from "./webhook-payload.ts";
import { signingSecrets } from "./webhook-secret.store.ts";

/** Attempts due before cron's next run get a message of their own; the sweep sends all others. */
const soonMs = 60_000;

/** Makes the claimed attempt to deliver an event, and logs it. Never rejects: what is not recorded is tried again. */
export async function deliverEvent(dependencies: Dependencies, event: ClaimedEvent): Promise<void> {
  const { clock, newId, random } = dependencies;
  const log = dependencies.log.with({
    event_id: event.id,
    job_id: event.jobId,
    batch_id: event.batchId,
    account_id: event.accountId,
    try: event.tries,
  });
  try {
    const startedAt = clock();
    const result = await tryOnce({ ...dependencies, log }, event, startedAt);
    const now = clock();
    const next = result.isFinal
      ? null
      : nextTryAt({ tries: event.tries, now, retryAfterMs: result.retryAfterMs, random: random() });
    const { httpStatus, error } = result;
    await recordTry(dependencies, event, { id: newId(), startedAt, httpStatus, error, nextTryAt: next });
    log.info("Webhook attempted", { status: httpStatus, error, next_try_at: next, ms: now - startedAt });
    if (next !== null && next - now <= soonMs) {
      await wakeWebhooks(dependencies, [event.id], Math.ceil((next - now) / 1000));
    }
  } catch (error) {
    log.error("A webhook attempt could not be recorded", errorFields(error));
  }
}

/** The payload is built for each attempt, so that its URLs are valid for as long as they claim. */
async function tryOnce(dependencies: Dependencies, event: ClaimedEvent, now: number): Promise<TryResult> {
  let request: Parameters<typeof sendWebhook>[1];
  try {
    const [payload, secrets] = await Promise.all([
      webhookPayload(dependencies, event, now),
      signingSecrets(dependencies, event.accountId),
    ]);
    const body = JSON.stringify(payload);
    request = { url: event.url, body, headers: await webhookHeaders({ id: event.id, body }, secrets, now) };
  } catch (error) {
    dependencies.log.error("A webhook's payload could not be built", errorFields(error));
    return { httpStatus: null, error: "Internal error", isFinal: false, retryAfterMs: null };
  }
  return sendWebhook(dependencies, request);
}
