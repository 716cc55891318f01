import { createRoute } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { batchNotFound } from "./batch-errors.ts";
import { batchPath } from "./batch-path.ts";
import { batchSchema } from "./batch-schema.ts";
import { findBatch } from "./batch.store.ts";

export const getBatch = defineRoute(
  createRoute({
    method: "get",
    path: "/batch/{id}",
    operationId: "getBatch",
    summary: "Get a batch",
    description:
      "How many jobs of a batch have ended, and the ids of all its jobs. Progress in percent is " +
      "`(completed_episodes + failed_episodes) / total_episodes * 100`.",
    tags: ["Batches"],
    ...needsKey,
    request: { params: batchPath },
    responses: { 200: json(batchSchema, "The batch."), ...errors(401, 404, 500) },
  }),
  async (c) => {
    const found = await findBatch(c.env.database, c.var.account.id, c.req.valid("param").id);
    if (found === null) throw batchNotFound();
    return c.json({ ...found.batch, episode_jobs: found.jobIds }, 200);
  },
);
