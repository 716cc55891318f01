import { createRoute, z } from "@hono/zod-openapi";
import { refuseBody } from "../http/read-body.ts";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { batchNotFound } from "./batch-errors.ts";
import { batchPath } from "./batch-path.ts";
import { cancelJobsOfBatch } from "./cancel-jobs-of-batch.ts";

const batchCancelledSchema = z
  .object({
    message: z.literal("Batch cancelled"),
    batch_id: z.guid(),
    cancelled: z.int().nonnegative().openapi({ description: "Number of jobs that this request cancelled." }),
  })
  .openapi("BatchCancelled", {
    example: {
      message: "Batch cancelled",
      batch_id: "0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5e",
      cancelled: 12,
    },
  });

export const cancelBatch = defineRoute(
  createRoute({
    method: "post",
    path: "/batch/{id}/cancel",
    operationId: "cancelBatch",
    summary: "Cancel every unfinished job of a batch",
    description:
      "Jobs that have ended stay as they are, and one that is already publishing its file completes. The batch " +
      "then ends as usual, with the cancelled jobs counted as failed. Needs no body; repeating it is safe.",
    tags: ["Batches"],
    ...needsKey,
    request: { params: batchPath },
    responses: {
      200: json(batchCancelledSchema, "The jobs are cancelled."),
      ...errors(401, 404, 413, 415, 500),
    },
  }),
  async (c) => {
    await refuseBody(c);
    const { id } = c.req.valid("param");
    const cancelled = await cancelJobsOfBatch(c.env, c.var.account.id, id);
    if (cancelled === null) throw batchNotFound();
    return c.json({ message: "Batch cancelled" as const, batch_id: id, cancelled }, 200);
  },
);
