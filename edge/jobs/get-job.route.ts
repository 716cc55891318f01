import { createRoute } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { fileSigner } from "../storage/file-signer.ts";
import { findJob } from "./find-job.store.ts";
import { jobNotFound } from "./job-errors.ts";
import { jobPath } from "./job-path.ts";
import { jobSchema } from "./job-schema.ts";
import { jobView } from "./job-view.ts";
import { liveState } from "./live-state.ts";

export const getJob = defineRoute(
  createRoute({
    method: "get",
    operationId: "getJob",
    path: "/jobs/{id}",
    summary: "Get a job",
    description:
      "The job as it is now. Poll every 2 to 5 seconds until `status` is Completed or Failed, or follow its events, " +
      "then fetch `storage_url`.",
    tags: ["Jobs"],
    ...needsKey,
    request: { params: jobPath },
    responses: { 200: json(jobSchema, "The job."), ...errors(401, 404, 500) },
  }),
  async (c) => {
    const { database, clock } = c.env;
    const row = await findJob(database, c.var.account.id, c.req.valid("param").id);
    if (row === null) throw jobNotFound();
    const live = await liveState(c.env, row);
    return c.json(await jobView(row, live?.progress ?? null, fileSigner(c.env, row, clock())), 200);
  },
);
