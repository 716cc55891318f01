import { z } from "@hono/zod-openapi";

/** The path of one batch: its id in either case, lower case as stored. */
export const batchPath = z.object({
  id: z.guid("Invalid batch id").toLowerCase().openapi({ description: "The batch's id." }),
});
