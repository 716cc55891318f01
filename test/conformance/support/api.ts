import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { expectPublished, readPublishedDocument } from "../../system/support/expect-published.ts";
import { target } from "./target.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- checked against the published schema, which the types do not know
  readonly body: any;
}

export interface Sent {
  /** Defaults to the first account's key; null: none. */
  readonly key?: string | null;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The target's own OpenAPI document. */
export const published = await readPublishedDocument(target.url);

/** All operations. */
export const operations = Object.entries(published.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
);

/**
 * Sends a request, and fails the test unless the response is what every response must be: published with this status
 * for this operation, of the published shape, with a request id, closed to other origins, and not a fault of the
 * service.
 */
export async function ask(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const headers = new Headers(sent.headers);
  const key = sent.key === undefined ? target.key : sent.key;
  if (key !== null) headers.set("x-api-key", key);
  if ("json" in sent) headers.set("content-type", "application/json");
  const body = "json" in sent ? JSON.stringify(sent.json) : sent.text;
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers,
    redirect: "manual",
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  expect(response.status, text).toBeLessThan(500);
  expect(response.headers.get("x-request-id")).toMatch(/\S/);
  expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const answer = {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
  expectPublished(published, { method, path, ...answer });
  return answer;
}

/** Creates a job in the first account and returns its id. */
export async function createJob(fields: object): Promise<string> {
  const { status, body } = await ask("POST", "/jobs", { json: fields });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.job_id;
}

export const showJob = async (id: string) => (await ask("GET", `/jobs/${id}`)).body;

/** Polls a job until it is Completed or Failed; `onPoll` is called with each response. */
export async function endOf(
  id: string,
  onPoll: (job: Answer["body"]) => void = () => {},
): Promise<Answer["body"]> {
  for (;;) {
    const job = await showJob(id);
    onPoll(job);
    if (job.status === "Completed" || job.status === "Failed") return job;
    await sleep(100);
  }
}

export const runJob = async (fields: object) => endOf(await createJob(fields));

/** Polls until the response meets the condition. */
export async function askUntil(
  path: string,
  isAsWanted: (body: Answer["body"]) => boolean,
): Promise<Answer["body"]> {
  for (;;) {
    const { body } = await ask("GET", path);
    if (isAsWanted(body)) return body;
    await sleep(100);
  }
}

/** Resolves when the account has no unfinished job, so that only a test's own jobs change its counts. */
export async function accountAtRest(): Promise<void> {
  await askUntil("/dashboard/stats", (stats) => stats.pending_jobs + stats.processing_jobs === 0);
}

/** An error's content, for comparisons. */
export const errorOf = ({ status, body }: Answer) => [status, body.error, body.code];
