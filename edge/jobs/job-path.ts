import { z } from "@hono/zod-openapi";

/** The path of one job: its id in either case, lower case as stored. */
export const jobPath = z.object({
  id: z.guid("Invalid job id").toLowerCase().openapi({ description: "The job's id." }),
});
