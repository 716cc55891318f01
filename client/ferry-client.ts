import createFetchClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./openapi-types.ts";
import { sleep } from "./sleep.ts";

export type Ferry = Client<paths>;
export type Job = components["schemas"]["Job"];
/** The body of POST /jobs. */
export type JobRequest = paths["/jobs"]["post"]["requestBody"]["content"]["application/json"];
export type ErrorBody = components["schemas"]["Error"];

/** An answer that is not a success. `message` is its sentence, `code` its stable word. */
export class FerryError extends Error {
  override readonly name = "FerryError";
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly details: NonNullable<ErrorBody["details"]>;

  constructor(status: number, body: ErrorBody) {
    super(body.error);
    this.status = status;
    this.code = body.code;
    this.requestId = body.request_id;
    this.details = body.details ?? [];
  }
}

/** A client of the service at `baseUrl`: `GET`, `POST` and `DELETE` by path, typed by the published document. */
export function createFerry({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Ferry {
  return createFetchClient<paths>({ baseUrl, headers: { "x-api-key": apiKey } });
}

interface Exchange<Data> {
  readonly data?: Data;
  readonly error?: ErrorBody;
  readonly response: Response;
}

/** The body of a successful answer; rejects with a FerryError when it is another one. */
export async function answerTo<Data>(exchange: Promise<Exchange<Data>>): Promise<Data> {
  const { data, error, response } = await exchange;
  if (data !== undefined) return data;
  // Something between here and the service may answer in its place, and in any form.
  if (!error?.code) throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  throw new FerryError(response.status, error);
}

interface Waiting {
  /** Between two looks. */
  readonly intervalMs?: number;
  /** Its abort ends the waiting, not the job. */
  readonly signal?: AbortSignal;
  /** Sees the job at every look. */
  readonly onLook?: (job: Job) => void;
}

/** Creates a job and follows it to its end, well or not. */
export async function runJob(ferry: Ferry, request: JobRequest, waiting: Waiting = {}): Promise<Job> {
  const { job_id: jobId } = await answerTo(ferry.POST("/jobs", { body: request }));
  return waitForJob(ferry, jobId, waiting);
}

/** Looks at a job until it has ended, well or not, and returns it. */
export async function waitForJob(ferry: Ferry, jobId: string, waiting: Waiting = {}): Promise<Job> {
  const { intervalMs = 2000, signal, onLook } = waiting;
  for (;;) {
    const init = { params: { path: { id: jobId } }, ...(signal && { signal }) };
    const job = await answerTo(ferry.GET("/jobs/{id}", init));
    onLook?.(job);
    if (job.status === "Completed" || job.status === "Failed") return job;
    await sleep(intervalMs, signal);
  }
}
