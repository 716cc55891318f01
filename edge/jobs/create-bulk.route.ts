import { createRoute, z } from "@hono/zod-openapi";
import { readBody } from "../http/read-body.ts";
import { defineRoute, errors, json, jsonBody, needsKey } from "../http/route.ts";
import { answerOnce } from "../idempotency/answer-once.ts";
import { idempotencyHeaders, replayedHeaders } from "../idempotency/idempotency-headers.ts";
import { bulkRequestSchema, newJobsOf } from "./bulk-request.ts";
import { createJobs } from "./create-jobs.store.ts";

const publicSources = bulkRequestSchema({ allowPrivateNetwork: false });
const localSources = bulkRequestSchema({ allowPrivateNetwork: true });

const examples = {
  talks: {
    summary: "Two talks in one folder",
    value: {
      jobs: [
        { url: "https://media.example/talk-1", filename: "Opening" },
        { url: "https://media.example/talk-2" },
      ],
      folder: "conference",
      format: "mp4",
      quality_preset: "high",
    },
  },
};

const bulkCreatedSchema = z
  .object({ batch_id: z.guid(), total_jobs: z.int(), job_ids: z.array(z.guid()) })
  .openapi("BulkCreated", {
    example: {
      batch_id: "0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5e",
      total_jobs: 2,
      job_ids: ["0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f", "0197b1c2-7c1e-7b02-8d4f-1b2c3d4e5f60"],
    },
  });

export const createBulk = defineRoute(
  createRoute({
    method: "post",
    path: "/jobs/bulk",
    operationId: "createBulk",
    summary: "Create up to 100 jobs at once",
    description:
      "Queues one job per URL, all with the same options. The jobs run independently and are polled through `GET " +
      "/jobs/{id}`; `GET /batch/{id}` counts them together. One invalid item rejects the whole request, and " +
      "`details` names its index. Webhooks and podcast shows are not supported here.",
    tags: ["Jobs"],
    ...needsKey,
    request: { headers: idempotencyHeaders, body: jsonBody(publicSources, examples) },
    responses: {
      200: { ...json(bulkCreatedSchema, "The jobs are queued."), headers: replayedHeaders },
      ...errors(401, 413, 415, 500),
    },
  }),
  async (c) => {
    const { settings, newId } = c.env;
    const body = await readBody(c, settings.allowPrivateNetwork ? localSources : publicSources);
    const jobs = newJobsOf(body, newId);
    const batch = { id: newId(), folder: jobs[0]?.folder ?? "" };
    const answer = { batch_id: batch.id, total_jobs: jobs.length, job_ids: jobs.map(({ id }) => id) };
    const given = await answerOnce(c, {
      headers: c.req.valid("header"),
      path: "/jobs/bulk",
      body,
      answerSchema: bulkCreatedSchema,
      create: async (keep) => {
        await createJobs(c.env, { accountId: c.var.account.id, jobs, batch, keptAnswer: keep(answer) });
        return answer;
      },
    });
    return c.json(given, 200);
  },
);
