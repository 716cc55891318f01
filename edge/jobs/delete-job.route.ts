import { createRoute } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { cancelJobs } from "./cancel-jobs.ts";
import { jobCancelledSchema } from "./job-cancelled-schema.ts";
import { jobNotCancellable, jobNotFound } from "./job-errors.ts";
import { jobPath } from "./job-path.ts";

export const deleteJob = defineRoute(
  createRoute({
    method: "delete",
    path: "/jobs/{id}",
    operationId: "deleteJob",
    summary: "Cancel a job that is still in the queue",
    description:
      "Succeeds only while the job is Pending; it is then Failed with the error `Job cancelled by user`. To stop " +
      "a job that is being processed, use `POST /jobs/{id}/cancel`.",
    tags: ["Jobs"],
    ...needsKey,
    request: { params: jobPath },
    responses: { 200: json(jobCancelledSchema, "The job is cancelled."), ...errors(401, 404, 500) },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const [outcome] = await cancelJobs(c.env, c.var.account.id, [id], "cancel_queued");
    if (!outcome?.before) throw jobNotFound();
    if (outcome.kind !== "changed") {
      throw jobNotCancellable("Job cannot be cancelled (not in queue or already processing)");
    }
    return c.json({ message: "Job cancelled" as const, job_id: id }, 200);
  },
);
