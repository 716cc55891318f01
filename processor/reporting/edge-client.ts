import { Agent, request } from "undici";
import type { z } from "zod";
import { nodeIsolatedAfterMs } from "../../contracts/limits.ts";
import { requestIdHeader } from "../../contracts/request-id.ts";
import { readSignatures, signatureHeader } from "../../contracts/signed-message.ts";
import { isAnswerSignedWith, signatureHeaders } from "../message-signature.ts";
import type { EdgeClock } from "./edge-clock.ts";
import type { EdgeContact } from "./edge-contact.ts";

/**
 * The edge gave no usable answer. `status` is null if there was no response at all; `retryAfterMs` is how long the edge
 * asks to be left alone, 0 if it does not say.
 */
export class EdgeError extends Error {
  override readonly name = "EdgeError";
  readonly status: number | null;
  readonly retryAfterMs: number;

  constructor(
    message: string,
    status: number | null,
    options: ErrorOptions & { retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.status = status;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

export interface EdgeAnswer<Content> {
  readonly content: Content;
  /** The id under which the edge's log says what it did; null if the answer does not tell. */
  readonly requestId: string | null;
}

export interface EdgeClient {
  /**
   * One signed POST, without retries. Rejects with EdgeError: no answer in time, not 2xx, or not of the expected shape.
   */
  post<Content>(
    path: string,
    body: unknown,
    content: z.ZodType<Content>,
    timeoutMs: number,
  ): Promise<EdgeAnswer<Content>>;
  /** Aborts requests in flight. */
  close(): Promise<void>;
}

export interface EdgeClientOptions {
  readonly edgeUrl: string;
  readonly secrets: readonly string[];
  readonly edgeClock: EdgeClock;
  readonly contact: EdgeContact;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** A node that is not heard for this long gives up its jobs. */
const restMaxMs = nodeIsolatedAfterMs;
const answerMaxBytes = 32 * 1024 * 1024;

/** A client that signs every request, believes no forged answer, tells `contact` how it went, and sets `edgeClock` by the responses. */
export function createEdgeClient(options: EdgeClientOptions): EdgeClient {
  const { edgeUrl, secrets, edgeClock, contact, now } = options;
  // An edge of an earlier version signs no answers; one that has signed one signs all.
  let edgeSigns = false;
  const agent = new Agent({ connections: 4, maxResponseSize: answerMaxBytes });

  async function exchange(path: string, body: unknown, timeoutMs: number): Promise<EdgeAnswer<unknown>> {
    const bytes = Buffer.from(JSON.stringify(body));
    const message = {
      direction: "node-to-edge",
      method: "POST",
      path,
      timestampMs: edgeClock.now(),
    } as const;
    const sentAtMs = now();
    const response = await request(new URL(path, edgeUrl), {
      method: "POST",
      body: bytes,
      headers: {
        "content-type": "application/json",
        ...signatureHeaders({ ...message, body: bytes }, secrets),
      },
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
    });
    edgeClock.learn(response.headers["date"]?.toString());
    const { statusCode } = response;
    const requestId = response.headers[requestIdHeader]?.toString() ?? null;
    if (statusCode < 200 || statusCode > 299) {
      await response.body.dump();
      const where = requestId === null ? "" : ` (request ${requestId})`;
      const retryAfterMs = restOf(response.headers["retry-after"]?.toString());
      throw new EdgeError(refusal(statusCode) + where, statusCode, { retryAfterMs });
    }
    const answer = Buffer.from(await response.body.arrayBuffer());
    const signatures = readSignatures(response.headers[signatureHeader]?.toString());
    const signed = { request: { ...message, body: bytes }, status: statusCode, body: answer };
    if (signatures.length > 0 || edgeSigns) {
      if (!isAnswerSignedWith(secrets, signed, signatures))
        throw new EdgeError("its answer is not signed with the shared secret", statusCode);
      edgeSigns = true;
    }
    const content: unknown = JSON.parse(answer.toString("utf8"));
    contact.heard(sentAtMs);
    return { content, requestId };
  }

  return {
    async post(path, body, contentSchema, timeoutMs) {
      const { content, requestId } = await exchange(path, body, timeoutMs).catch((error: unknown) => {
        const failure =
          error instanceof EdgeError ? error : new EdgeError(reasonOf(error), null, { cause: error });
        contact.missed(failure.message);
        throw failure;
      });
      const parsed = contentSchema.safeParse(content);
      if (!parsed.success) throw new EdgeError("its answer is not of the agreed shape", 200);
      return { content: parsed.data, requestId };
    },
    close: () => agent.destroy(),
  };
}

/** The edge asks for a few seconds; whatever else it said must not hold up a report for long. */
function restOf(retryAfter: string | undefined): number {
  return /^\d{1,2}$/.test(retryAfter ?? "") ? Math.min(Number(retryAfter) * 1000, restMaxMs) : 0;
}

function refusal(status: number): string {
  return status === 401
    ? "status 401: the secrets of edge and node differ, or their clocks do"
    : `status ${status}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return error.message ? `${code}: ${error.message}` : code;
}
