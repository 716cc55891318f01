import { createRoute, z } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { gigabytes } from "../usage/gigabytes.ts";
import { readCounts } from "./statistics.store.ts";

const count = z.int().nonnegative();

const statsSchema = z
  .object({
    total_jobs: count,
    pending_jobs: count,
    processing_jobs: count,
    completed_jobs: count,
    failed_jobs: count.openapi({ description: "Includes cancelled ones." }),
    storage_used_bytes: count.openapi({ description: "Total size of all files ever uploaded." }),
    storage_used_gb: z.number().openapi({ description: "The same in units of 10^9 bytes." }),
    client_name: z.string().openapi({ description: "The account's name." }),
  })
  .openapi("Stats", {
    example: {
      total_jobs: 42,
      pending_jobs: 1,
      processing_jobs: 2,
      completed_jobs: 36,
      failed_jobs: 3,
      storage_used_bytes: 12750000000,
      storage_used_gb: 12.75,
      client_name: "Acme",
    },
  });

export const getStats = defineRoute(
  createRoute({
    method: "get",
    path: "/dashboard/stats",
    operationId: "getStats",
    summary: "Get the account's job and storage counters",
    description: "Jobs by status, and the bytes stored so far. Counters are always exact.",
    tags: ["Dashboard"],
    ...needsKey,
    responses: { 200: json(statsSchema, "The counts."), ...errors(401, 500) },
  }),
  async (c) => {
    const { account } = c.var;
    const counts = await readCounts(c.env.database, account.id);
    const { pending, processing, completed, failed, storageBytes } = counts;
    return c.json(
      {
        total_jobs: pending + processing + completed + failed,
        pending_jobs: pending,
        processing_jobs: processing,
        completed_jobs: completed,
        failed_jobs: failed,
        storage_used_bytes: storageBytes,
        storage_used_gb: gigabytes(storageBytes),
        client_name: account.name,
      },
      200,
    );
  },
);
