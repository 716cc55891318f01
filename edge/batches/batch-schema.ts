import { z } from "@hono/zod-openapi";
import { batchStatuses } from "./batch.table.ts";

const count = z.int().nonnegative();

/** A batch as shown in lists. */
export const listedBatchSchema = z.object({
  id: z.guid(),
  show_url: z.string().nullable().openapi({ description: "Null for a bulk request's batch." }),
  folder: z.string().openapi({ description: "Storage folder of its files; empty if there is none." }),
  total_episodes: count,
  completed_episodes: count,
  failed_episodes: count.openapi({ description: "Includes cancelled ones." }),
  status: z.enum(batchStatuses).openapi({
    description: "`processing` until every job has ended; then `completed`, or `finished` if any failed.",
  }),
});
export type ListedBatch = z.infer<typeof listedBatchSchema>;

/** The Batch of GET /batch/{id}. */
export const batchSchema = listedBatchSchema
  .extend({ episode_jobs: z.array(z.guid()).openapi({ description: "Ids of its jobs, in order." }) })
  .openapi("Batch", {
    example: {
      id: "0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5e",
      show_url: null,
      folder: "conference",
      total_episodes: 2,
      completed_episodes: 1,
      failed_episodes: 0,
      status: "processing",
      episode_jobs: ["0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f", "0197b1c2-7c1e-7b02-8d4f-1b2c3d4e5f60"],
    },
  });
