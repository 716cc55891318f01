import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { accountOfRequest } from "../accounts/authenticate.ts";
import { watchJob } from "../cluster/watch-job.ts";
import { eventStream, type ServerSentEvent } from "../http/event-stream.ts";
import type { HttpEnv } from "../http/http-env.ts";
import { defineRoute, errors, needsKey } from "../http/route.ts";
import { fileSigner } from "../storage/file-signer.ts";
import { findJob } from "./find-job.store.ts";
import { type Follower, followJob, type SeenJob } from "./follow-job.ts";
import { jobNotFound } from "./job-errors.ts";
import { jobPath } from "./job-path.ts";
import { jobView } from "./job-view.ts";
import { liveState } from "./live-state.ts";

const jobEventsSchema = z.string().openapi("JobEvents", {
  description:
    "Server-Sent Events: the job's current state, then each change of its step, its progress (at most four a " +
    "second) and its end, each as returned by `GET /jobs/{id}`. A comment every 15 seconds keeps the " +
    "connection open. The stream closes when the job has ended, and after 15 minutes at the latest: reconnect " +
    "with `Last-Event-ID`.",
  "x-event-data": { $ref: "#/components/schemas/Job" },
  example:
    'id: 1.52\ndata: {"id":"0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f","status":"Processing","step":"Downloading",…}\n\n',
});

const lastEventId = z
  .string()
  .optional()
  .openapi({ description: "The `id` of the last event received: the stream continues after it." });

export const getJobEvents = defineRoute(
  createRoute({
    method: "get",
    operationId: "getJobEvents",
    path: "/jobs/{id}/events",
    summary: "Follow a job",
    description:
      "Server-Sent Events: the job as it is now, then each change of its step, its progress (at most four a second) " +
      "and its end, each as `GET /jobs/{id}` would show it. A comment every 15 seconds keeps the connection open. It " +
      "closes after the job's end, and after 15 minutes: ask again then, with `Last-Event-ID`.",
    tags: ["Jobs"],
    ...needsKey,
    request: { params: jobPath, headers: z.object({ "last-event-id": lastEventId }) },
    responses: {
      200: { description: "The events.", content: { "text/event-stream": { schema: jobEventsSchema } } },
      ...errors(401, 404, 500),
    },
  }),
  async (c) => {
    const look = () => lookAtJob(c, c.req.valid("param").id);
    const first = await look();
    if (first === null) throw jobNotFound();
    const knownId = c.req.valid("header")["last-event-id"] ?? null;
    const body = eventStream((signal) => eventsOf(c, first, knownId, look, signal), c.env.log);
    return c.body(body, 200, { "content-type": "text/event-stream" });
  },
);

async function lookAtJob(c: Context<HttpEnv>, id: string): Promise<SeenJob | null> {
  const row = await findJob(c.env.database, c.var.account.id, id);
  return row && { row, live: await liveState(c.env, row) };
}

async function* eventsOf(
  c: Context<HttpEnv>,
  first: SeenJob,
  knownId: string | null,
  look: Follower["look"],
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent | null> {
  const { clock } = c.env;
  const follower: Follower = {
    // A key that is revoked in the meantime sees nothing more.
    look: async () => ((await accountOfRequest(c)) === null ? null : look()),
    watch: () => watchJob(c.env, first.row.id),
    clock,
    wait: c.env.wait,
  };
  for await (const job of followJob(first, knownId, follower, signal)) {
    if (job === null) yield null;
    else {
      const { id, row, progress } = job;
      yield { id, data: await jobView(row, progress, fileSigner(c.env, row, clock())) };
    }
  }
}
