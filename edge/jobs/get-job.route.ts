import { createRoute, z } from "@hono/zod-openapi";
import type { Progress } from "../../contracts/heartbeat.ts";
import type { Dependencies } from "../dependencies.ts";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { errorFields, type Log } from "../log.ts";
import { managedObjectKey } from "../storage/object-key.ts";
import { presignGet } from "../storage/presign.ts";
import { findJob, type JobRow } from "./find-job.store.ts";
import { invalidJobIdMessage, jobNotFound } from "./job-errors.ts";
import { jobSchema } from "./job-schema.ts";
import { jobView } from "./job-view.ts";

const jobPath = z.object({ id: z.guid(invalidJobIdMessage).openapi({ description: "The job's id." }) });

export const getJob = defineRoute(
  createRoute({
    method: "get",
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
    const { database, settings, clock } = c.env;
    const row = await findJob(database, c.var.account.id, c.req.valid("param").id.toLowerCase());
    if (row === null) throw jobNotFound();
    const now = clock();
    const job = await jobView(row, await progressOf(c.env, c.var.log, row), (storageKey) =>
      presignGet(settings.managedStorage, managedObjectKey(row.accountId, row.id, storageKey), now),
    );
    return c.json(job, 200);
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
