import { createRoute, z } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { deleteFiles } from "../storage/delete-files.ts";
import { storageOfJob } from "../storage/file-signer.ts";
import { clearFile } from "./clear-file.store.ts";
import { findJob } from "./find-job.store.ts";
import { jobHasNoFile, jobNotFound } from "./job-errors.ts";
import { jobPath } from "./job-path.ts";

const fileDeletedSchema = z
  .object({ message: z.string(), job_id: z.guid(), deleted_key: z.string() })
  .openapi("FileDeleted", {
    example: {
      message: "File deleted",
      job_id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
      deleted_key: "talks/Talk.mp4",
    },
  });

export const deleteFile = defineRoute(
  createRoute({
    method: "delete",
    operationId: "deleteFile",
    path: "/jobs/{id}/file",
    summary: "Delete a job's file",
    description:
      "Permanently deletes the file, its subtitles and its thumbnail. The job remains, and usage does not " +
      "decrease.",
    tags: ["Jobs"],
    ...needsKey,
    request: { params: jobPath },
    responses: { 200: json(fileDeletedSchema, "The file is deleted."), ...errors(401, 404, 500) },
  }),
  async (c) => {
    const row = await findJob(c.env.database, c.var.account.id, c.req.valid("param").id);
    if (row === null) throw jobNotFound();
    const { accountId, id, status, storageKey, sidecarSuffixes, sidecars } = row;
    if (status !== "Completed" || storageKey === null) throw jobHasNoFile();
    const others = (sidecars ?? []).map((sidecar) => sidecar.storage_key);
    await deleteFiles(c.env, await storageOfJob(c.env, row), storageKey, others);
    await clearFile(c.env, { accountId, id, storageKey, sidecarSuffixes });
    return c.json({ message: "File deleted", job_id: id, deleted_key: storageKey }, 200);
  },
);
