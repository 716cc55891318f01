import {
  createFerry,
  createJob,
  type Ferry,
  type Job,
  type JobRequest,
  waitForJob,
} from "../../../client/ferry-client.ts";
import { expectPublished, readPublishedDocument } from "./expect-published.ts";

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- checked against the published schema, which the types do not know
  readonly body: any;
}

export interface Api {
  /** The client; like `ask`, it fails the test if a response does not match the published schema. */
  readonly ferry: Ferry;
  /** For requests that the typed client cannot send. */
  ask(method: "GET" | "POST", path: string, body?: object): Promise<Answer>;
  /** Creates a job and returns its id. */
  createJob(request: JobRequest): Promise<string>;
  /** Follows a job until it is Completed or Failed. */
  waitForEnd(jobId: string): Promise<Job>;
}

/** A client of a running system that uses only HTTP. */
export async function openApi({ url, apiKey }: { url: string; apiKey: string }): Promise<Api> {
  const document = await readPublishedDocument(url);
  const ferry = createFerry({ baseUrl: url, apiKey });
  ferry.use({
    async onResponse({ request, response }) {
      const body: unknown = await response.clone().json();
      expectPublished(document, { method: request.method, path: request.url, status: response.status, body });
    },
  });

  return {
    ferry,
    async ask(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { "x-api-key": apiKey, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer: unknown = await response.json();
      expectPublished(document, { method, path, status: response.status, body: answer });
      return { status: response.status, body: answer };
    },
    createJob: (request) => createJob(ferry, request),
    waitForEnd: (jobId) => waitForJob(ferry, jobId, { intervalMs: 100 }),
  };
}
