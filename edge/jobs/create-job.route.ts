import { createRoute, z } from "@hono/zod-openapi";
import { requireRoom } from "../accounts/pending-limit.store.ts";
import type { Dependencies } from "../dependencies.ts";
import { readBody } from "../http/read-body.ts";
import { defineRoute, errors, json, jsonBody, needsKey } from "../http/route.ts";
import { answerOnce } from "../idempotency/answer-once.ts";
import { idempotencyHeaders, replayedHeaders } from "../idempotency/idempotency-headers.ts";
import type { AnswerToKeep } from "../idempotency/idempotency-key.store.ts";
import { createShow } from "../shows/create-show.ts";
import { episodeIds } from "../shows/episode-ids.ts";
import { isLookedAt, openShow } from "../shows/open-show.ts";
import { createJobs } from "./create-jobs.store.ts";
import { type JobRequest, jobRequestSchema, newJobOf } from "./job-request.ts";

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
  show: {
    summary: "Every episode of a podcast show",
    value: { url: "https://podcasts.example/weekly/feed", folder: "podcasts/weekly" },
  },
};

const jobCreatedSchema = z
  .object({ job_id: z.guid() })
  .openapi("JobCreated", { example: { job_id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f" } });

const showKeptSchema = z.object({ batch_id: z.guid(), total_episodes: z.int() });
const showCreatedSchema = showKeptSchema
  .extend({
    episode_jobs: z.array(z.guid()).openapi({ description: "Ids of the episodes' jobs, in feed order." }),
  })
  .openapi("ShowCreated", {
    example: {
      batch_id: "0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5e",
      total_episodes: 2,
      episode_jobs: ["0197b1c2-7c1d-7a53-9f5e-3c6d00000000", "0197b1c2-7c1d-7a53-9f5e-3c6d00000001"],
    },
  });

const createdSchema = z.union([jobCreatedSchema, showCreatedSchema]).openapi("Created", {
  description: "A job or, for a podcast show, the batch of its episodes.",
  example: { job_id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f" },
});

/** As stored for an idempotency key: the ids of a show's jobs are derived from its batch's. */
const keptSchema = z.union([jobCreatedSchema, showKeptSchema]);
type Created = z.infer<typeof keptSchema>;

export const createJob = defineRoute(
  createRoute({
    method: "post",
    operationId: "createJob",
    path: "/jobs",
    summary: "Create a download job, or one for each episode of a podcast show",
    description:
      "Queues the job; poll `GET /jobs/{id}` for its file. Responds immediately if the URL ends like a media file or " +
      "belongs to a large video site. Any other is looked at first, for up to 10 seconds: if it turns out to be a " +
      "podcast show, its feed is read, for up to 120 seconds, and every episode becomes a job of one " +
      "batch: poll `GET /batch/{id}`. Either everything is created or nothing. A field that is `null` or an " +
      "empty string counts as not given, and an option that does not apply is ignored.",
    tags: ["Jobs"],
    ...needsKey,
    request: { headers: idempotencyHeaders, body: jsonBody(publicSources, examples) },
    responses: {
      200: {
        ...json(createdSchema, "The job, or every episode's job, is queued."),
        headers: replayedHeaders,
      },
      ...errors(401, 413, 415, 500, 504),
    },
  }),
  async (c) => {
    const body = await readBody(c, c.env.settings.allowPrivateNetwork ? localSources : publicSources);
    const accountId = c.var.account.id;
    const created = await answerOnce<Created>(c, {
      headers: c.req.valid("header"),
      path: "/jobs",
      body,
      answerSchema: keptSchema,
      create: (keep) => createWhatItIs(c.env, accountId, body, keep),
    });
    if ("job_id" in created) return c.json(created, 200);
    const { batch_id, total_episodes } = created;
    return c.json({ ...created, episode_jobs: episodeIds(batch_id, total_episodes) }, 200);
  },
);

/** Creates a batch if the URL is a podcast show, otherwise a single job. */
async function createWhatItIs(
  dependencies: Dependencies,
  accountId: string,
  request: JobRequest,
  keep: (answer: Created) => AnswerToKeep | null,
): Promise<Created> {
  const job = newJobOf(request, dependencies.newId());
  if (isLookedAt(job.url)) await requireRoom(dependencies, accountId);
  const show = await openShow(dependencies, accountId, job.url);
  if (show !== null) return createShow(dependencies, show, { ...job, accountId }, keep);
  const answer = { job_id: job.id };
  await createJobs(dependencies, { accountId, jobs: [job], batch: null, keptAnswer: keep(answer) });
  return answer;
}
