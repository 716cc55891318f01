import { z } from "@hono/zod-openapi";
import { jobStatuses } from "../../contracts/job-status.ts";
import type { Database } from "../dependencies.ts";
import { idFilter, pageFields } from "../http/page-query.ts";
import { findJobs } from "./find-jobs.store.ts";
import type { JobPage } from "./listed-job.ts";
import { foundMax, searchJobs } from "./search-jobs.store.ts";

const statusNames = jobStatuses.map((status) => status.toLowerCase());
const statusSentence = `Invalid status (allowed: ${statusNames.join(", ")})`;

/** Query parameters of a list of jobs. An empty parameter counts as absent. */
export function jobListQuery({ limitDefault }: { limitDefault: number }) {
  return z.object({
    ...pageFields({ limitDefault }),
    status: z
      .string(statusSentence)
      .optional()
      .transform((text, context) => {
        if (!text) return null;
        const status = jobStatuses.find((one) => one.toLowerCase() === text.toLowerCase());
        if (status === undefined) context.addIssue(statusSentence);
        return status ?? z.NEVER;
      })
      .openapi({
        type: "string",
        enum: statusNames,
        description: "Only jobs with this status, case-insensitive.",
      }),
    batch_id: idFilter("Invalid batch id").openapi({ description: "Only jobs of this batch." }),
    search: z
      .string("search must be a string")
      .optional()
      .openapi({
        description: `A complete job id, or the beginning of the URL; \`total\` is then at most ${foundMax}.`,
      }),
  });
}
export type JobListQuery = z.output<ReturnType<typeof jobListQuery>>;

/** The page of an account's jobs that a query asks for. */
export function queryJobs(database: Database, accountId: string, query: JobListQuery): Promise<JobPage> {
  const { status, batch_id: batchId = null, search, limit, offset } = query;
  const filter = { status, batchId };
  return search
    ? searchJobs(database, accountId, { ...filter, search }, { limit, offset })
    : findJobs(database, accountId, filter, { limit, offset });
}
