import { createRoute, z } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";

const count = z.int().nonnegative();

const clusterSchema = z
  .object({ total_downloading: count, total_muxing: count, total_uploading: count })
  .openapi("Cluster", { example: { total_downloading: 12, total_muxing: 3, total_uploading: 5 } });

export const getCluster = defineRoute(
  createRoute({
    method: "get",
    path: "/dashboard/cluster",
    operationId: "getCluster",
    summary: "Get the activity of the whole service",
    description:
      "Jobs at each step on all nodes heard from within the last 30 seconds, each counted once. May be polled every second.",
    tags: ["Dashboard"],
    ...needsKey,
    responses: { 200: json(clusterSchema, "The counts."), ...errors(401, 500) },
  }),
  async (c) => {
    const { Downloading, Muxing, Uploading } = await c.env.registry.clusterCounts();
    return c.json({ total_downloading: Downloading, total_muxing: Muxing, total_uploading: Uploading }, 200);
  },
);
