import { createRoute } from "@hono/zod-openapi";
import type { Progress } from "../../contracts/heartbeat.ts";
import type { Dependencies } from "../dependencies.ts";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { errorFields, type Log } from "../log.ts";
import { fileSigner } from "../storage/file-signer.ts";
import { findJob, type JobRow } from "./find-job.store.ts";
import { jobNotFound } from "./job-errors.ts";
import { jobPath } from "./job-path.ts";
import { jobSchema } from "./job-schema.ts";
import { jobView } from "./job-view.ts";

export const getJob = defineRoute(
  createRoute({
    method: "get",
    operationId: "getJob",
    path: "/jobs/{id}",
    summary: "Get a job",
    description:
      "The job as it is now. Poll every 2 to 5 seconds until `status` is Completed or Failed, then fetch " +
      "`storage_url`.",
    tags: ["Jobs"],
    ...needsKey,
    request: { params: jobPath },
    responses: { 200: json(jobSchema, "The job."), ...errors(400, 401, 404, 500) },
  }),
  async (c) => {
    const { database, clock } = c.env;
    const row = await findJob(database, c.var.account.id, c.req.valid("param").id);
    if (row === null) throw jobNotFound();
    const sign = fileSigner(c.env, row, clock());
    return c.json(await jobView(row, await progressOf(c.env, c.var.log, row), sign), 200);
  },
);

/** Progress lives in the registry's memory alone; a registry that is restarting has none to tell. */
async function progressOf(
  { registry }: Pick<Dependencies, "registry">,
  log: Log,
  row: JobRow,
): Promise<Progress | null> {
  if (row.status !== "Processing") return null;
  try {
    return await registry.progressOf(row.id, row.claim);
  } catch (error) {
    log.warn("Progress could not be read", { job_id: row.id, ...errorFields(error) });
    return null;
  }
}
