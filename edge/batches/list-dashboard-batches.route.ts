import { createRoute, z } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { listedBatchSchema } from "./batch-schema.ts";
import { listShows } from "./batch.store.ts";

const showsMax = 100;

const batchListSchema = z.object({ batches: z.array(listedBatchSchema) }).openapi("BatchList", {
  example: {
    batches: [
      {
        id: "0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5e",
        show_url: "https://podcasts.example/weekly/feed",
        folder: "Weekly",
        total_episodes: 240,
        completed_episodes: 180,
        failed_episodes: 2,
        status: "processing",
      },
    ],
  },
});

export const listDashboardBatches = defineRoute(
  createRoute({
    method: "get",
    path: "/dashboard/batches",
    operationId: "listDashboardBatches",
    summary: "List podcast shows for the dashboard",
    description: `The account's podcast batches, newest first, at most ${showsMax}.`,
    tags: ["Dashboard"],
    ...needsKey,
    responses: { 200: json(batchListSchema, "The batches."), ...errors(401, 500) },
  }),
  async (c) => {
    const batches = await listShows(c.env.database, c.var.account.id, showsMax);
    return c.json({ batches }, 200);
  },
);
