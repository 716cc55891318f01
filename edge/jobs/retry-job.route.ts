import { createRoute, z } from "@hono/zod-openapi";
import { refuseBody } from "../http/read-body.ts";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { answerOnce } from "../idempotency/answer-once.ts";
import { idempotencyHeaders, replayedHeaders } from "../idempotency/idempotency-headers.ts";
import { createJobs, type NewJob } from "./create-jobs.store.ts";
import { findJob, type JobRow } from "./find-job.store.ts";
import { jobNotFound, jobNotRetryable } from "./job-errors.ts";
import { jobPath } from "./job-path.ts";

const jobRetriedSchema = z
  .object({ job_id: z.guid(), original_job_id: z.guid(), message: z.literal("Job queued for retry") })
  .openapi("JobRetried", {
    example: {
      job_id: "0197b1c2-9a40-7d11-8b3e-5f0c2d4e6a81",
      original_job_id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
      message: "Job queued for retry",
    },
  });

export const retryJob = defineRoute(
  createRoute({
    method: "post",
    path: "/jobs/{id}/retry",
    operationId: "retryJob",
    summary: "Retry a failed job",
    description:
      "Queues a new job with the options of the failed one, which stays as it is. The new job counts towards " +
      "usage, is in no batch, and stores its file where the account's new jobs do. Needs no body.",
    tags: ["Jobs"],
    ...needsKey,
    request: { params: jobPath, headers: idempotencyHeaders },
    responses: {
      200: { ...json(jobRetriedSchema, "The new job is queued."), headers: replayedHeaders },
      ...errors(401, 404, 413, 415, 500),
    },
  }),
  async (c) => {
    await refuseBody(c);
    const { database, newId } = c.env;
    const accountId = c.var.account.id;
    const { id } = c.req.valid("param");
    const original = await findJob(database, accountId, id);
    if (original === null) throw jobNotFound();
    if (original.status !== "Failed") throw jobNotRetryable();
    const job = retryOf(original, newId());
    const answer = { job_id: job.id, original_job_id: id, message: "Job queued for retry" as const };
    const given = await answerOnce(c, {
      headers: c.req.valid("header"),
      path: `/jobs/${id}/retry`,
      body: null,
      answerSchema: jobRetriedSchema,
      create: async (keep) => {
        await createJobs(c.env, { accountId, jobs: [job], batch: null, keptAnswer: keep(answer) });
        return answer;
      },
    });
    return c.json(given, 200);
  },
);

/** The same job again, on its own: what it sent as part of a batch belongs to the batch. */
function retryOf({ url, folder, filename, batchId, webhookUrl, options }: JobRow, id: string): NewJob {
  return { id, url, folder, filename, webhookUrl: batchId === null ? webhookUrl : null, options };
}
