import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { vi } from "vitest";
import type { FileFacts } from "../../../contracts/file-facts.ts";
import type { JobEvent } from "../../../contracts/job-lifecycle.ts";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { applyChanges } from "../../../edge/jobs/apply-changes.ts";
import { consumeWebhookWakeUps } from "../../../edge/webhooks/webhooks.consumer.ts";
import { facts } from "./made-file.ts";
import { createTestApi } from "./test-api.ts";
import { silentQueue } from "./test-dependencies.ts";

export const hookUrl = "https://client.example/hooks/ferry?token=t";

export interface Received {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: string | undefined;
}

type Answer = (signal: AbortSignal | null | undefined) => Response | Promise<Response>;

const factsWithSidecars: FileFacts = {
  ...facts,
  sidecars: [{ kind: "subtitle", language: "en", storage_key: "talk.en.vtt", bytes: 10 }],
  preferred_subtitle: "talk.en.vtt",
};

/** The public interface with a webhook receiver in place of the network, and a queue that the test empties. */
export async function createWebhookTest() {
  const received: Received[] = [];
  const answers: Answer[] = [];
  const messages: { eventId: string; delaySeconds: number }[] = [];
  const receive: Dependencies["fetch"] = async (input, init) => {
    const request = new Request(input, init);
    received.push({
      url: request.url,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
      redirect: init?.redirect,
    });
    const answer = answers.shift() ?? (() => new Response(null, { status: 204 }));
    return answer(init?.signal);
  };
  const api = await createTestApi({
    fetch: receive,
    // No jitter to account for.
    random: () => 0,
    webhooks: {
      ...silentQueue,
      sendBatch: (batch, { delaySeconds = 0 } = {}) => {
        for (const { body } of batch) messages.push({ eventId: body.eventId, delaySeconds });
        return silentQueue.sendBatch(batch);
      },
    },
  });
  const { dependencies, account, clock } = api;
  await dependencies.database.run(sql`DELETE FROM webhook_events`);

  /** Passes messages to the consumer and waits for the resulting attempts. */
  async function consume(eventIds: readonly string[]): Promise<void> {
    const running: Promise<unknown>[] = [];
    await consumeWebhookWakeUps(batchOf(eventIds), dependencies, {
      waitUntil: (promise) => running.push(promise),
    });
    await Promise.all(running);
  }

  /** Moves a job through its life, like dispatch and reports. */
  async function apply(jobId: string, ...events: readonly JobEvent[]): Promise<void> {
    for (const event of events) {
      await applyChanges(dependencies, [
        {
          accountId: account.id,
          jobId,
          event,
          ...(event.type === "publish" && { facts: factsWithSidecars }),
        },
      ]);
    }
  }

  return {
    ...api,
    received,
    answers,
    messages,
    consume,
    apply,
    /** Empties the queue, whatever the delays of its messages. */
    deliver: () => consume(messages.splice(0).map(({ eventId }) => eventId)),
    /** Takes the only message out of the queue. */
    takeMessage(): string {
      const [message, ...others] = messages.splice(0);
      if (message === undefined || others.length > 0) throw new Error("Not one message");
      return message.eventId;
    },
    async createJob(fields: object = {}): Promise<string> {
      const json = { url: "https://media.example/talk.mp4", webhook_url: hookUrl, ...fields };
      return (await api.call("POST", "/jobs", { json })).body.job_id;
    },
    /** The job ends with a file `talk.mp4`. */
    async complete(jobId: string): Promise<void> {
      await dependencies.database.run(sql`UPDATE jobs SET turn = 0 WHERE id = ${jobId}`);
      await claimJobs(dependencies, [{ nodeId: "node-a", slots: 1 }]);
      await dependencies.database.run(
        sql`UPDATE jobs SET storage_key = 'talk.mp4', sidecar_suffixes = '["en.vtt"]' WHERE id = ${jobId}`,
      );
      await apply(jobId, { type: "publish", claim: 1 }, { type: "complete", claim: 1 });
    },
    events: () =>
      dependencies.database.all<{ id: string; type: string; tries: number; next_try_at: number | null }>(
        sql`SELECT id, type, tries, next_try_at FROM webhook_events WHERE account_id = ${account.id} ORDER BY id`,
      ),
    deliveries: async (query = "") => (await api.call("GET", `/webhooks/deliveries${query}`)).body,
    secret: async (): Promise<string> => (await api.call("GET", "/user/webhook-secret")).body.secret,
    /** The payload as decoded by a receiver with the secret at the test's time; throws if it is not genuine. */
    verify(request: Received | undefined, secret: string): unknown {
      if (request === undefined) throw new Error("Nothing was received");
      vi.useFakeTimers({ toFake: ["Date"], now: clock.now });
      try {
        return new Webhook(secret).verify(request.body, request.headers);
      } finally {
        vi.useRealTimers();
      }
    },
  };
}
export type WebhookTest = Awaited<ReturnType<typeof createWebhookTest>>;

function batchOf(eventIds: readonly string[]): MessageBatch {
  const settle = () => undefined;
  return {
    queue: "ferry-webhooks",
    messages: eventIds.map((eventId, index) => ({
      id: String(index),
      timestamp: new Date(0),
      body: { eventId },
      attempts: 1,
      ack: settle,
      retry: settle,
    })),
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
    ackAll: settle,
    retryAll: settle,
  };
}
