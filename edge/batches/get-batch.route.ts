import { createRoute } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { episodeIds } from "../shows/episode-ids.ts";
import { batchNotFound } from "./batch-errors.ts";
import { batchPath } from "./batch-path.ts";
import { batchSchema } from "./batch-schema.ts";
import { findBatch, jobsOfBulk } from "./batch.store.ts";

export const getBatch = defineRoute(
  createRoute({
    method: "get",
    path: "/batch/{id}",
    operationId: "getBatch",
    summary: "Get a batch",
    description:
      "How many jobs of a batch have ended, and which they are. Progress in percent is " +
      "`(completed_episodes + failed_episodes) / total_episodes * 100`.",
    tags: ["Batches"],
    ...needsKey,
    request: { params: batchPath },
    responses: { 200: json(batchSchema, "The batch."), ...errors(400, 401, 404, 500) },
  }),
  async (c) => {
    const { database } = c.env;
    const accountId = c.var.account.id;
    const batch = await findBatch(database, accountId, c.req.valid("param").id);
    if (batch === null) throw batchNotFound();
    const episode_jobs =
      batch.show_url === null
        ? await jobsOfBulk(database, accountId, batch.id)
        : episodeIds(batch.id, batch.total_episodes);
    return c.json({ ...batch, episode_jobs }, 200);
  },
);
