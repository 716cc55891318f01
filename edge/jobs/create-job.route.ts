import { createRoute, z } from "@hono/zod-openapi";
import { readBody } from "../http/read-body.ts";
import { defineRoute, errors, json, jsonBody, needsKey } from "../http/route.ts";
import { answerOnce } from "../idempotency/answer-once.ts";
import { idempotencyHeaders, replayedHeaders } from "../idempotency/idempotency-headers.ts";
import { createJobs } from "./create-jobs.store.ts";
import { jobRequestSchema, newJobOf } from "./job-request.ts";

const publicSources = jobRequestSchema({ allowPrivateNetwork: false });
const localSources = jobRequestSchema({ allowPrivateNetwork: true });

const examples = {
  defaults: {
    summary: "The best quality, as mp4",
    value: { url: "https://media.example/talk" },
  },
  podcast: {
    summary: "An episode as mp3, in a folder",
    value: {
      url: "https://media.example/episode-1.m4a",
      format: "mp3",
      audio_bitrate: "192k",
      folder: "podcasts/weekly",
      filename: "Episode 1",
      webhook_url: "https://client.example/hooks/ferry",
    },
  },
};

const jobCreatedSchema = z
  .object({ job_id: z.guid() })
  .openapi("JobCreated", { example: { job_id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f" } });

export const createJob = defineRoute(
  createRoute({
    method: "post",
    operationId: "createJob",
    path: "/jobs",
    summary: "Create a download job",
    description:
      "Queues the job and answers at once; poll `GET /jobs/{id}` for its file. A field that is `null` or an empty " +
      "text counts as not given, and an option that does not apply is ignored.",
    tags: ["Jobs"],
    ...needsKey,
    request: { headers: idempotencyHeaders, body: jsonBody(publicSources, examples) },
    responses: {
      200: { ...json(jobCreatedSchema, "The job is queued."), headers: replayedHeaders },
      ...errors(400, 401, 413, 415, 500),
    },
  }),
  async (c) => {
    const { settings, newId } = c.env;
    const body = await readBody(c, settings.allowPrivateNetwork ? localSources : publicSources);
    const job = newJobOf(body, newId());
    const answer = await answerOnce(c, {
      headers: c.req.valid("header"),
      path: "/jobs",
      body,
      answer: { job_id: job.id },
      answerSchema: jobCreatedSchema,
      create: (keptAnswer) =>
        createJobs(c.env, { accountId: c.var.account.id, jobs: [job], batch: null, keptAnswer }),
    });
    return c.json(answer, 200);
  },
);
