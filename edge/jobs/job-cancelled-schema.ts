import { z } from "@hono/zod-openapi";

/** Response of both ways to cancel a job. */
export const jobCancelledSchema = z
  .object({ message: z.literal("Job cancelled"), job_id: z.guid() })
  .openapi("JobCancelled", {
    example: { message: "Job cancelled", job_id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f" },
  });
