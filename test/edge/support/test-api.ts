import { sql } from "drizzle-orm";
import { generateApiKey } from "../../../contracts/api-key.ts";
import { hashApiKey } from "../../../edge/accounts/api-key-hash.ts";
import { createApp } from "../../../edge/app.ts";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { transact } from "../../../edge/transact.ts";
import { parseResponse, type ParsedResponse, readEvents } from "./parse-response.ts";
import { createBareAccount } from "./test-account.ts";
import { type TestClock, testDependencies } from "./test-dependencies.ts";

const app = createApp();

export interface TestAccount {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

export interface Sent {
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged, without a Content-Type except one in `headers`. */
  readonly body?: BodyInit;
}

/** The public interface on the test's own database, with its own account; every response is validated. */
export async function createTestApi(overrides: Partial<Dependencies> = {}) {
  const clock: TestClock = { now: Date.UTC(2026, 0, 31, 12) };
  const dependencies: Dependencies = { ...testDependencies(clock), ...overrides };
  const account = await createTestAccount(dependencies);

  /** Dependencies as the Worker creates them for each event, with their own request id. */
  function forEvent(): Dependencies {
    const requestId = dependencies.newId();
    return { ...dependencies, requestId, log: dependencies.log.with({ request_id: requestId }) };
  }

  /** Sends a request unchanged. */
  async function send(method: string, path: string, sent: Sent = {}): Promise<ParsedResponse> {
    const request = requestOf(method, path, sent);
    return parseResponse(request, await app.fetch(request, forEvent()));
  }

  return {
    dependencies,
    clock,
    account,
    send,
    /** The events of a job, as followed by the account with this key. */
    follow: async (jobId: string, headers: Record<string, string> = {}) => {
      const request = requestOf("GET", `/jobs/${jobId}/events`, {
        headers: { "x-api-key": account.key, ...headers },
      });
      return readEvents(await app.fetch(request, dependencies));
    },
    /** Sends a request with the account's key. */
    call: (method: string, path: string, sent: Sent = {}) =>
      send(method, path, { ...sent, headers: { "x-api-key": account.key, ...sent.headers } }),
  };
}
export type TestApi = Awaited<ReturnType<typeof createTestApi>>;

function requestOf(method: string, path: string, sent: Sent): Request {
  const headers = new Headers(sent.headers);
  if ("json" in sent) headers.set("content-type", "application/json");
  const body = "json" in sent ? JSON.stringify(sent.json) : sent.body;
  return new Request(`https://ferry.example${path}`, {
    method,
    headers,
    redirect: "manual",
    ...(body !== undefined && { body }),
  });
}

/** An account with a valid key. */
export async function createTestAccount(dependencies: Dependencies): Promise<TestAccount> {
  const id = await createBareAccount(dependencies);
  const key = generateApiKey((count) => crypto.getRandomValues(new Uint8Array(count)));
  const hash = await hashApiKey(key);
  await transact(dependencies.database, [
    sql`INSERT INTO api_keys (hash, prefix, account_id, created_at)
      VALUES (${hash}, ${key.slice(0, 8)}, ${id}, ${dependencies.clock()})`,
  ]);
  return { id, name: id, key };
}
