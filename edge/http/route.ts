import { type RouteConfig, type RouteHandler, z } from "@hono/zod-openapi";
import { authenticate } from "../accounts/authenticate.ts";
import { limitRate } from "../accounts/limit-rate.ts";
import { errorSchema } from "./error-response.ts";
import type { HttpEnv } from "./http-env.ts";

/** One endpoint: what is published about it, and its handler. */
export function defineRoute<Route extends RouteConfig>(route: Route, handler: RouteHandler<Route, HttpEnv>) {
  return { route, handler };
}

/** Spread into a route that requires a key. */
export const needsKey = { security: [{ apiKey: [] }], middleware: [authenticate, limitRate] };

/** A JSON response or body with this schema. */
export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/**
 * A required JSON body as it is published. The schema is given as JSON Schema, so that only `readBody` validates it:
 * that keeps the order of checks and knows the deployment's settings.
 */
export function jsonBody(schema: z.ZodType, examples: Record<string, { summary: string; value: object }>) {
  const published: object = z.toJSONSchema(schema, { io: "input" });
  return { required: true, content: { "application/json": { schema: published, examples } } };
}

const documentedErrors = {
  400: {
    description: "The request is invalid; `error` says why.",
    example: {
      error: "video_quality must be an integer from 0 to 51",
      code: "invalid_request",
      details: [{ path: "video_quality", message: "video_quality must be an integer from 0 to 51" }],
    },
  },
  401: {
    description: "The key is missing or invalid.",
    example: { error: "Missing x-api-key header", code: "missing_api_key" },
  },
  404: {
    description: "Not found, or it belongs to another account.",
    example: { error: "Job not found", code: "job_not_found" },
  },
  405: {
    description: "The path does not support this method; `Allow` lists those it does.",
    example: { error: "Method not allowed", code: "method_not_allowed" },
  },
  413: {
    description: "The body is too large.",
    example: { error: "Request body too large (max 1 MiB)", code: "body_too_large" },
  },
  415: {
    description: "The body is not declared as JSON.",
    example: { error: "Content-Type must be application/json", code: "unsupported_media_type" },
  },
  429: {
    description:
      "More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs " +
      "waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to " +
      "try again.",
    example: { error: "Too many requests, try again in 10 seconds", code: "too_many_requests" },
  },
  500: {
    description: "A fault of the service, or overload, in which case `Retry-After` is present.",
    example: { error: "Internal server error", code: "internal_error" },
  },
  503: {
    description: "The service cannot work now.",
    example: { error: "Service unavailable", code: "unavailable" },
  },
  504: {
    description: "A podcast show could not be read in time; nothing was created.",
    example: { error: "Episode extraction timed out", code: "episode_extraction_timed_out" },
  },
} as const;
const exampleRequestId = "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f";

type ErrorStatus = keyof typeof documentedErrors;

const allowHeader = z.object({
  allow: z.string().openapi({ description: "The methods of the path.", example: "GET, HEAD" }),
});

const retryAfterHeader = z.object({
  "retry-after": z.string().openapi({ description: "Seconds to wait.", example: "10" }),
});

/**
 * A route's error responses, all of one shape. Includes those every route has, and for a route that requires a key
 * (401) the response to too many requests.
 */
export function errors<Status extends Exclude<ErrorStatus, 400 | 405 | 429>>(...statuses: Status[]) {
  const entries = statuses.map((status) => [status, errorAnswer(status)]);
  const needed = new Set<ErrorStatus>(statuses);
  return {
    400: errorAnswer(400),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets which keys it was given
    ...(Object.fromEntries(entries) as Record<Status, ReturnType<typeof errorAnswer>>),
    405: { ...errorAnswer(405), headers: allowHeader },
    ...(needed.has(401) && { 429: { ...errorAnswer(429), headers: retryAfterHeader } }),
  };
}

function errorAnswer(status: ErrorStatus) {
  const { description, example } = documentedErrors[status];
  const content = { schema: errorSchema, example: { ...example, request_id: exampleRequestId } };
  return { description, content: { "application/json": content } };
}
