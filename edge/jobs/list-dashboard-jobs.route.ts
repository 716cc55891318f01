import { createRoute, z } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { jobListQuery, queryJobs } from "./job-list-query.ts";
import { listedJobSchema } from "./listed-job.ts";

const dashboardJobSchema = listedJobSchema.pick({
  id: true,
  url: true,
  status: true,
  error: true,
  storage_key: true,
});

const dashboardJobsSchema = z
  .object({
    jobs: z.array(dashboardJobSchema),
    total: z.int().nonnegative().openapi({ description: "Number of matching jobs on all pages." }),
    limit: z.int(),
    offset: z.int(),
  })
  .openapi("DashboardJobs", {
    example: {
      jobs: [
        {
          id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
          url: "https://media.example/talk",
          status: "Completed",
          error: null,
          storage_key: "talks/Talk.mp4",
        },
      ],
      total: 1,
      limit: 50,
      offset: 0,
    },
  });

export const listDashboardJobs = defineRoute(
  createRoute({
    method: "get",
    path: "/dashboard/jobs",
    operationId: "listDashboardJobs",
    summary: "List jobs for the dashboard",
    description: "Like `GET /jobs`, with fewer fields and larger pages.",
    tags: ["Dashboard"],
    ...needsKey,
    request: { query: jobListQuery({ limitDefault: 50 }) },
    responses: { 200: json(dashboardJobsSchema, "A page of the list."), ...errors(401, 500) },
  }),
  async (c) => {
    const query = c.req.valid("query");
    const { jobs, total } = await queryJobs(c.env.database, c.var.account.id, query);
    const items = jobs.map(({ id, url, status, error, storage_key }) => ({
      id,
      url,
      status,
      error,
      storage_key,
    }));
    return c.json({ jobs: items, total, limit: query.limit, offset: query.offset }, 200);
  },
);
