import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { errorFields, type Log } from "../log.ts";
import { ApiError } from "./api-error.ts";
import type { HttpEnv } from "./http-env.ts";
import { internalError } from "./http-errors.ts";

/** The body of every response that is not a success. */
export const errorSchema = z
  .object({
    error: z.string().openapi({ description: "What is wrong, in one sentence." }),
    code: z.string().openapi({ description: "A stable identifier for programs." }),
    request_id: z
      .string()
      .openapi({ description: "Also in the header `x-request-id`; quote it to support." }),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: "Every field that is wrong; the first one's message is `error`." }),
  })
  .openapi("Error", {
    example: {
      error: "Invalid format (allowed: mp4, mkv, webm, mov, mp3)",
      code: "invalid_request",
      request_id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
      details: [{ path: "format", message: "Invalid format (allowed: mp4, mkv, webm, mov, mp3)" }],
    },
  });

/** The response to an error. Anything that was not thrown on purpose becomes a 500 that reveals nothing. */
export function errorResponse(error: Error, c: Context<HttpEnv>): Response {
  const known = error instanceof ApiError ? error : internalError(error);
  if (known.status >= 500) logFailure(known, c.env.log);
  const body: z.infer<typeof errorSchema> = {
    error: known.message,
    code: known.code,
    request_id: c.env.requestId,
    ...(known.details && { details: [...known.details] }),
  };
  return c.json(body, known.status, { ...known.headers });
}

/** Unexpected failures are logged in full; deliberate ones, such as a show that takes too long, with their code. */
function logFailure({ cause, code, message }: ApiError, log: Log): void {
  if (cause === undefined) log.warn("A request could not be served", { code, error: message });
  else log.error("A request failed", errorFields(cause));
}
