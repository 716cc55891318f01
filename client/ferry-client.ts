import { EventSourceParserStream } from "eventsource-parser/stream";
import createFetchClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./openapi-types.ts";
import { sleep } from "./sleep.ts";

export type Ferry = Client<paths>;
export type Job = components["schemas"]["Job"];
/** The body of POST /jobs. */
export type JobRequest = paths["/jobs"]["post"]["requestBody"]["content"]["application/json"];
export type Batch = components["schemas"]["Batch"];
export type ErrorBody = components["schemas"]["Error"];

/** A response that is not a success. `message` is its sentence, `code` its stable identifier. */
export class FerryError extends Error {
  override readonly name = "FerryError";
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly details: NonNullable<ErrorBody["details"]>;
  /** How long to wait before the next request; null if the response does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, body: ErrorBody, retryAfterSeconds: number | null = null) {
    super(body.error);
    this.status = status;
    this.code = body.code;
    this.requestId = body.request_id;
    this.details = body.details ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A client for the service at `baseUrl`: `GET`, `POST` and `DELETE` by path, typed by the OpenAPI document. */
export function createFerry({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Ferry {
  return createFetchClient<paths>({ baseUrl, headers: { "x-api-key": apiKey } });
}

interface Exchange<Data> {
  readonly data?: Data;
  readonly error?: ErrorBody;
  readonly response: Response;
}

/** The body of a successful response; rejects with a FerryError for any other. */
export async function answerTo<Data>(exchange: Promise<Exchange<Data>>): Promise<Data> {
  const { data, error, response } = await exchange;
  if (data !== undefined) return data;
  // Something between here and the service may respond in its place, in any format.
  if (!error?.code) throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  const retryAfter = response.headers.get("retry-after");
  throw new FerryError(response.status, error, retryAfter === null ? null : Number(retryAfter));
}

interface Waiting<Subject> {
  /** Between two polls. */
  readonly intervalMs?: number;
  /** Aborting it ends the waiting, not the work. */
  readonly signal?: AbortSignal;
  /** Called with the job or batch after every poll. */
  readonly onPoll?: (subject: Subject) => void;
}

/** Creates a job and returns its id. Rejects if the URL is a podcast show, which has created a batch. */
export async function createJob(ferry: Ferry, request: JobRequest): Promise<string> {
  const created = await answerTo(ferry.POST("/jobs", { body: request }));
  if ("job_id" in created) return created.job_id;
  throw new Error(`${request.url} is a podcast show: its episodes are the batch ${created.batch_id}`);
}

const reconnectAfterMs = 1000;

/** Creates a job and polls it until it has ended, successfully or not. */
export async function runJob(ferry: Ferry, request: JobRequest, waiting: Waiting<Job> = {}): Promise<Job> {
  return waitForJob(ferry, await createJob(ferry, request), waiting);
}

/** Polls a job until it has ended, successfully or not, and returns it. */
export function waitForJob(ferry: Ferry, jobId: string, waiting: Waiting<Job> = {}): Promise<Job> {
  const path = { id: jobId };
  const look = (init: { signal?: AbortSignal }) =>
    answerTo(ferry.GET("/jobs/{id}", { params: { path }, ...init }));
  return waitFor(look, ({ status }) => status === "Completed" || status === "Failed", waiting);
}

/** Polls a batch until all of its jobs have ended, and returns it. */
export function waitForBatch(ferry: Ferry, batchId: string, waiting: Waiting<Batch> = {}): Promise<Batch> {
  const path = { id: batchId };
  const look = (init: { signal?: AbortSignal }) =>
    answerTo(ferry.GET("/batch/{id}", { params: { path }, ...init }));
  return waitFor(look, ({ status }) => status !== "processing", waiting);
}

async function waitFor<Subject>(
  look: (init: { signal?: AbortSignal }) => Promise<Subject>,
  hasEnded: (subject: Subject) => boolean,
  { intervalMs = 2000, signal, onPoll }: Waiting<Subject>,
): Promise<Subject> {
  const init = signal ? { signal } : {};
  for (;;) {
    const subject = await look(init);
    onPoll?.(subject);
    if (hasEnded(subject)) return subject;
    await sleep(intervalMs, signal);
  }
}

/**
 * Yields a job from its event stream: its current state, then each change until its end. Reconnects if the connection
 * ends earlier. Aborting `signal` ends the following, not the job.
 */
export async function* followJob(
  ferry: Ferry,
  jobId: string,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<Job> {
  let lastEventId: string | undefined;
  for (;;) {
    const header = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const params = { path: { id: jobId }, header };
    const init = { params, parseAs: "stream", ...(signal && { signal }) } as const;
    const stream = await answerTo(ferry.GET("/jobs/{id}/events", init));
    if (stream === null) throw new Error("The events have no body");
    const events = stream.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    try {
      for await (const { id, data } of events) {
        lastEventId = id;
        const job: Job = JSON.parse(data);
        yield job;
        if (job.status === "Completed" || job.status === "Failed") return;
      }
    } catch (error) {
      // A connection that breaks is a TypeError.
      if (!(error instanceof TypeError) || signal?.aborted) throw error;
    }
    await sleep(reconnectAfterMs, signal);
  }
}
