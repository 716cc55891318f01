import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { showRequestSchema, type ShowLine, type ShowRequest } from "../../contracts/show.ts";
import type { Log } from "../log.ts";
import { logOf } from "./log-of-request.ts";
import { parseJsonBody } from "./json-body.ts";
import { createTurns } from "../shows/turns.ts";

/**
 * Reads a show until the signal says that nobody is listening any more. Yields lines, batched as they become available.
 */
export type ReadShow = (
  request: ShowRequest,
  run: { signal: AbortSignal; log: Log },
) => AsyncIterable<readonly ShowLine[]>;

/** Several times the longest address. */
const bodyMaxBytes = 64 * 1024;

/** Most of these are checking a URL or waiting for their turn: each holds a connection and at most 64 KiB. */
const showsAtOnce = { atOnce: 200, perOwner: 50 };

/**
 * POST of a URL by the edge. Answers as NDJSON whether it is a show, and each of its episodes as it is found, no faster
 * than the edge reads. 503 while the node, or this account on it, is at its limit, so that the edge asks another node.
 */
export function addShowsRoute(
  app: FastifyInstance,
  path: string,
  { readShow, log }: { readShow: ReadShow; log: Log },
): void {
  const places = createTurns(showsAtOnce);

  async function* text(request: ShowRequest, signal: AbortSignal, requestLog: Log): AsyncGenerator<string> {
    try {
      for await (const lines of readShow(request, { signal, log: requestLog })) {
        yield lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      }
    } catch (error) {
      // Cutting the response off is what tells the edge.
      if (!signal.aborted) requestLog.error({ err: error }, "reading a show failed");
      throw error;
    }
  }

  app.post(path, { bodyLimit: bodyMaxBytes }, async (request, reply) => {
    const body = showRequestSchema.safeParse(parseJsonBody(request.body));
    if (!body.success) return reply.code(400).send({ error: "Invalid show request" });
    const { account_id: accountId } = body.data;
    if (!places.areFree(accountId)) return reply.code(503).send({ error: "Too many shows at once" });
    const gone = new AbortController();
    const place = await places.take(accountId, gone.signal);
    reply.raw.once("close", () => gone.abort());
    const answer = Readable.from(text(body.data, gone.signal, logOf(request, log)), { highWaterMark: 1 });
    answer.once("close", () => place.end());
    return reply.type("application/x-ndjson").send(answer);
  });
}
