import { createRoute, z } from "@hono/zod-openapi";
import { unavailable } from "./http-errors.ts";
import { pingDatabase } from "./ping.store.ts";
import { defineRoute, errors, json } from "./route.ts";

const healthSchema = z.object({ status: z.literal("ok") }).openapi("Health", { example: { status: "ok" } });

export const health = defineRoute(
  createRoute({
    method: "get",
    operationId: "getHealth",
    path: "/health",
    summary: "Check whether the service works",
    description: "Returns 200 if the API reaches its database. Needs no key.",
    tags: ["Service"],
    security: [],
    responses: { 200: json(healthSchema, "It works."), ...errors(500, 503) },
  }),
  async (c) => {
    try {
      await pingDatabase(c.env.database);
    } catch (error) {
      throw unavailable(error);
    }
    return c.json({ status: "ok" as const }, 200);
  },
);
