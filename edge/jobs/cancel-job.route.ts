import { createRoute } from "@hono/zod-openapi";
import { isEnded } from "../../contracts/job-lifecycle.ts";
import { refuseBody } from "../http/read-body.ts";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { cancelJobs } from "./cancel-jobs.ts";
import { jobCancelledSchema } from "./job-cancelled-schema.ts";
import { jobNotCancellable, jobNotFound } from "./job-errors.ts";
import { jobPath } from "./job-path.ts";

export const cancelJob = defineRoute(
  createRoute({
    method: "post",
    path: "/jobs/{id}/cancel",
    operationId: "cancelJob",
    summary: "Cancel a job, also while it is being processed",
    description:
      "Stops the job wherever it is and leaves nothing in storage. Refused once it has ended, and while it is " +
      "already publishing its file: for a small file, which is stored in one piece, this covers the whole " +
      "upload.",
    tags: ["Jobs"],
    ...needsKey,
    request: { params: jobPath },
    responses: {
      200: json(jobCancelledSchema, "The job is cancelled."),
      ...errors(401, 404, 413, 415, 500),
    },
  }),
  async (c) => {
    await refuseBody(c);
    const { id } = c.req.valid("param");
    const [outcome] = await cancelJobs(c.env, c.var.account.id, [id], "cancel");
    if (!outcome?.before) throw jobNotFound();
    if (outcome.kind !== "changed") {
      const hasEnded = isEnded(outcome.before);
      throw jobNotCancellable(hasEnded ? "Job has already ended" : "Job is already finishing");
    }
    return c.json({ message: "Job cancelled" as const, job_id: id }, 200);
  },
);
