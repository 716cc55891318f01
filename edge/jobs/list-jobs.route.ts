import { createRoute, z } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { jobListQuery, queryJobs } from "./job-list-query.ts";
import { listedJobSchema } from "./listed-job.ts";

const jobListSchema = z
  .object({
    jobs: z.array(listedJobSchema),
    total: z.int().nonnegative().openapi({ description: "Number of matching jobs on all pages." }),
    limit: z.int(),
    offset: z.int(),
  })
  .openapi("JobList", {
    example: {
      jobs: [
        {
          id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
          url: "https://media.example/talk",
          status: "Completed",
          step: "Finished",
          error: null,
          created_at: 1769860800000,
          finished_at: 1769860809350,
          storage_key: "talks/Talk.mp4",
          file_size: 48213377,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
    },
  });

export const listJobs = defineRoute(
  createRoute({
    method: "get",
    path: "/jobs",
    operationId: "listJobs",
    summary: "List jobs",
    description: "The account's jobs, newest first. Filters may be combined.",
    tags: ["Jobs"],
    ...needsKey,
    request: { query: jobListQuery({ limitDefault: 20 }) },
    responses: { 200: json(jobListSchema, "A page of the list."), ...errors(401, 500) },
  }),
  async (c) => {
    const query = c.req.valid("query");
    const page = await queryJobs(c.env.database, c.var.account.id, query);
    return c.json({ ...page, limit: query.limit, offset: query.offset }, 200);
  },
);
