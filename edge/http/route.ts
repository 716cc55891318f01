import { type RouteConfig, type RouteHandler, z } from "@hono/zod-openapi";
import { authenticate } from "../accounts/authenticate.ts";
import { errorSchema } from "./error-response.ts";
import type { HttpEnv } from "./http-env.ts";

/** One endpoint: what is published of it, and what answers it. */
export function defineRoute<Route extends RouteConfig>(route: Route, handler: RouteHandler<Route, HttpEnv>) {
  return { route, handler };
}

/** Spread into a route that needs a key. */
export const needsKey = { security: [{ apiKey: [] }], middleware: authenticate };

/** A JSON answer or body of this schema. */
export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/**
 * A required JSON body as it is published. The schema is given as JSON Schema, so that nothing but `readBody` validates
 * it: that keeps the order of checks, and knows the deployment's settings.
 */
export function jsonBody(schema: z.ZodType, examples: Record<string, { summary: string; value: object }>) {
  const published: object = z.toJSONSchema(schema, { io: "input" });
  return { required: true, content: { "application/json": { schema: published, examples } } };
}

const errorDescriptions = {
  400: "The request is wrong; `error` says what is.",
  401: "The key is missing or unknown.",
  404: "There is no such thing, or it is another account's.",
  413: "The body is too large.",
  415: "The body is not declared as JSON.",
  500: "A fault of the service, or too much load: then with `Retry-After`.",
  503: "The service cannot work now.",
} as const;

type ErrorStatus = keyof typeof errorDescriptions;

/** The errors of a route, all of one shape. */
export function errors<Status extends ErrorStatus>(...statuses: Status[]) {
  const entries = statuses.map((status) => [status, json(errorSchema, errorDescriptions[status])]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets which keys it was given
  return Object.fromEntries(entries) as Record<Status, ReturnType<typeof json<typeof errorSchema>>>;
}
