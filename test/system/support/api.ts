import { setTimeout as sleep } from "node:timers/promises";
import { type Schema, Validator } from "@cfworker/json-schema";
import { expect } from "vitest";

interface OpenApiDocument {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, PublishedResponse> }>>;
  readonly components: object;
}
interface PublishedResponse {
  readonly content?: { readonly "application/json"?: { readonly schema: object } };
}

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the published schema has checked it, which types do not know
  readonly body: any;
}

export interface Api {
  /** Asks, and fails the test unless the answer is as the system's own OpenAPI document publishes it. */
  ask(method: "GET" | "POST", path: string, body?: object): Promise<Answer>;
  /** Creates a job and returns its id. */
  createJob(fields: object): Promise<string>;
  /** Follows a job until it is Completed or Failed; its steps must never go back within an attempt. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  waitForEnd(jobId: string): Promise<any>;
}

const pollMs = 100;

/** A client of a running system, over HTTP alone. */
export async function openApi({ url, apiKey }: { url: string; apiKey: string }): Promise<Api> {
  const published = await fetch(`${url}/openapi.json`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it must hold is looked up below
  const document = (await published.json()) as OpenApiDocument;

  const ask: Api["ask"] = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { "x-api-key": apiKey, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    expectPublished(document, { method, path, status: response.status }, answer);
    return { status: response.status, body: answer };
  };

  const createJob: Api["createJob"] = async (fields) => {
    const { status, body } = await ask("POST", "/jobs", fields);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.job_id;
  };

  const waitForEnd: Api["waitForEnd"] = async (jobId) => {
    for (;;) {
      const { status, body: job } = await ask("GET", `/jobs/${jobId}`);
      expect(status).toBe(200);
      if (job.status === "Completed" || job.status === "Failed") return job;
      await sleep(pollMs);
    }
  };

  return { ask, createJob, waitForEnd };
}

function expectPublished(
  document: OpenApiDocument,
  { method, path, status }: { method: string; path: string; status: number },
  answer: unknown,
): void {
  const [, operations] =
    Object.entries(document.paths).find(([template]) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
    ) ?? [];
  const schema = operations?.[method.toLowerCase()]?.responses[status]?.content?.["application/json"]?.schema;
  expect(schema, `${method} ${path} publishes no answer ${status}`).toBeDefined();
  const root: Schema = { ...schema, components: document.components };
  const { valid, errors } = new Validator(root, "2020-12", false).validate(answer);
  expect(valid, JSON.stringify(errors)).toBe(true);
}
