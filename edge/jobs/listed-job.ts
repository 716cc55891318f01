import { z } from "@hono/zod-openapi";
import { jobStatusSchema, jobStepSchema } from "../../contracts/job-status.ts";

/** A job as shown in lists. */
export const listedJobSchema = z.object({
  id: z.guid(),
  url: z.string(),
  status: jobStatusSchema,
  storage_key: z
    .string()
    .nullable()
    .openapi({ description: "Null until uploaded, and after the file is deleted." }),
  error: z.string().nullable().openapi({ description: "Only when Failed." }),
  step: jobStepSchema,
  created_at: z.int().openapi({ description: "Milliseconds since the Unix epoch." }),
  finished_at: z.int().nullable().openapi({ description: "Null while unfinished." }),
  file_size: z
    .int()
    .nullable()
    .openapi({ description: "Size of the stored file in bytes; null while unfinished." }),
});
export type ListedJob = z.infer<typeof listedJobSchema>;

/** Which of an account's jobs; null: all. */
export interface JobFilter {
  readonly status: ListedJob["status"] | null;
  /** Lower case. */
  readonly batchId: string | null;
}

/** A page of a list, newest first. */
export interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

export interface JobPage {
  readonly jobs: ListedJob[];
  /** Across all pages. */
  readonly total: number;
}
