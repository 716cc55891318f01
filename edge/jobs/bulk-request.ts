import { z } from "@hono/zod-openapi";
import type { AddressPolicy } from "../../contracts/address-rules.ts";
import { isShowAddress } from "../../contracts/show-address.ts";
import { withoutTrailingSlash } from "../storage/folder.ts";
import type { NewJob } from "./create-jobs.store.ts";
import { checkCombination, encodingOptionsOf } from "./job-request.ts";
import { codecFields, filenameField, folderField, selectionFields, urlField } from "./request-fields.ts";

const jobsMax = 100;

/** Body of POST /jobs/bulk. Its fields are checked in this order, then their combination. */
export function bulkRequestSchema(policy: AddressPolicy) {
  const item = z.strictObject(
    {
      url: urlField(policy).refine(
        (url) => !isShowAddress(url),
        "Podcast shows are not supported in bulk requests",
      ),
      filename: filenameField,
    },
    {
      error: ({ code, path }) =>
        code === "invalid_type" ? `${path?.join(".")} must be an object` : undefined,
    },
  );
  return z
    .strictObject({
      // Their number is checked before any of them is.
      jobs: z
        .preprocess((jobs, context) => {
          const problem = jobsProblem(jobs);
          if (problem !== null) context.addIssue({ code: "custom", message: problem });
          return jobs;
        }, z.array(item))
        .meta({ description: "What to download, one job each.", minItems: 1, maxItems: jobsMax }),
      folder: folderField,
      ...codecFields,
      ...selectionFields,
      webhook_url: z
        .null({ error: "Webhooks are not supported in bulk requests" })
        .optional()
        .meta({ description: "Not supported in bulk requests." }),
    })
    .superRefine(checkCombination);
}
export type BulkRequest = z.infer<ReturnType<typeof bulkRequestSchema>>;

/** What is wrong with the list as a whole, as a sentence; null if nothing is. */
function jobsProblem(jobs: unknown): string | null {
  if (jobs === undefined || jobs === null) return "No jobs provided";
  if (!Array.isArray(jobs)) return "jobs must be an array";
  if (jobs.length === 0) return "No jobs provided";
  return jobs.length > jobsMax ? `Too many jobs (max ${jobsMax})` : null;
}

/** The jobs of a request, all with its options, in the request's order. */
export function newJobsOf(request: BulkRequest, newId: () => string): NewJob[] {
  const options = encodingOptionsOf(request);
  const folder = request.folder ? withoutTrailingSlash(request.folder) : null;
  return request.jobs.map(({ url, filename }) => ({
    id: newId(),
    url,
    folder,
    // A lone surrogate is not a character: neither the database nor a file name can hold it.
    filename: filename?.toWellFormed() ?? null,
    webhookUrl: null,
    options,
  }));
}
