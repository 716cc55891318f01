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

/** A request that creates something, and the answer that it gets when it has. */
export interface Creation<Answer> {
  readonly headers: IdempotencyHeaders;
  /** Of the request, in its one spelling: an id in lower case. */
  readonly path: string;
  /** The parsed body; null: the request has none. */
  readonly body: unknown;
  readonly answer: Answer;
  readonly answerSchema: z.ZodType<Answer>;
  /** Creates, and keeps the answer in the same transaction. */
  readonly create: (kept: AnswerToKeep | null) => Promise<void>;
}

/**
 * Carries a creation out at most once an idempotency key, and returns its answer: where the key has one already, that
 * one, with the header that says so. Throws a 400 when the key was used for another request.
 */
export async function answerOnce<Answer>(c: Context<HttpEnv>, creation: Creation<Answer>): Promise<Answer> {
  const { headers, path, body, answer, answerSchema, create } = creation;
  const key = headers["idempotency-key"] ?? headers["x-idempotency-key"];
  if (key === undefined) {
    await create(null);
    return answer;
  }
  const request = await requestHash({ method: c.req.method, path, body });
  try {
    await create({ key, request, answer: JSON.stringify(answer) });
    return answer;
  } catch (error) {
    if (!(error instanceof KeyInUse)) throw error;
  }
  const earlier = await findAnswer(c.env.database, c.var.account.id, key, c.env.clock());
  // It has run out since, so that the key is free.
  if (earlier === null) return answerOnce(c, creation);
  if (earlier.request !== request) throw keyReused();
  c.header(replayedHeader, "true");
  return answerSchema.parse(JSON.parse(earlier.answer));
}
