import type { Context } from "hono";
import type { z } from "zod";
import { ApiError } from "../http/api-error.ts";
import type { HttpEnv } from "../http/http-env.ts";
import { type AnswerToKeep, findAnswer, KeyInUse } from "./idempotency-key.store.ts";
import { type IdempotencyHeaders, replayedHeader } from "./idempotency-headers.ts";
import { requestHash } from "./request-hash.ts";

const keyReused = () =>
  new ApiError({
    status: 400,
    code: "idempotency_key_reused",
    message: "Idempotency-Key was already used with a different request",
  });

/** A request that creates something. */
export interface Creation<Answer> {
  readonly headers: IdempotencyHeaders;
  /** The request's path, normalized: ids in lower case. */
  readonly path: string;
  /** The parsed body; null: the request has none. */
  readonly body: unknown;
  readonly answerSchema: z.ZodType<Answer>;
  /** Creates, stores what `keep` makes of the response in the same transaction, and returns the response. */
  readonly create: (keep: (answer: Answer) => AnswerToKeep | null) => Promise<Answer>;
}

/**
 * Executes a creation at most once per idempotency key and returns its response: if the key already has one, that one,
 * with the header that says so. Throws a 400 if the key was used for a different request.
 */
export async function answerOnce<Answer>(c: Context<HttpEnv>, creation: Creation<Answer>): Promise<Answer> {
  const { headers, path, body, answerSchema, create } = creation;
  const key = headers["idempotency-key"] ?? headers["x-idempotency-key"];
  if (key === undefined) return create(() => null);
  const request = await requestHash({ method: c.req.method, path, body });
  const earlier = await findAnswer(c.env.database, c.var.account.id, key, c.env.clock());
  if (earlier !== null) {
    if (earlier.request !== request) throw keyReused();
    c.header(replayedHeader, "true");
    return answerSchema.parse(JSON.parse(earlier.answer));
  }
  try {
    return await create((answer) => ({ key, request, answer: JSON.stringify(answer) }));
  } catch (error) {
    if (!(error instanceof KeyInUse)) throw error;
  }
  // Another request was faster: its response is there by now, or has expired since.
  return answerOnce(c, creation);
}
