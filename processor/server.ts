import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { internalPaths } from "../contracts/signed-message.ts";
import type { ArrivedTask, TaskAnswer } from "../contracts/task.ts";
import type { Log } from "./log.ts";
import { addHealthRoute, type Health } from "./routes/health.route.ts";
import { logOf } from "./routes/log-of-request.ts";
import { addShowsRoute, type ReadShow } from "./routes/shows.route.ts";
import { signedByEdge } from "./routes/signed-by-edge.ts";
import { addTasksRoute } from "./routes/tasks.route.ts";

export interface ServerOptions {
  /** The id of this process. */
  readonly nodeId: string;
  readonly secrets: readonly string[];
  /** The edge's time in milliseconds since the Unix epoch. */
  readonly edgeNow: () => number;
  readonly takeTasks: (tasks: readonly ArrivedTask[], log: Log) => TaskAnswer["results"];
  readonly readShow: ReadShow;
  readonly health: () => Health;
  readonly log: Log;
}

/** Where nothing is expected. Like the routes' own limits, it applies before anyone knows who sends the body. */
const bodyMaxBytes = 1024;
const requestTimeoutMs = 30_000;
const internalPrefix = "/internal";

/** The node's HTTP server, not yet listening. Nothing under /internal answers without the edge's signature. */
export function buildServer({
  nodeId,
  secrets,
  edgeNow,
  takeTasks,
  readShow,
  health,
  log,
}: ServerOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: bodyMaxBytes,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: true,
  });

  app.setNotFoundHandler(answerNotFound);
  app.setErrorHandler<Error & { statusCode?: number }>(async (error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ error: error.message });
    logOf(request, log).error(
      { err: error, method: request.method, path: request.routeOptions.url },
      "a request failed",
    );
    return reply.code(500).send({ error: "Internal error" });
  });

  addHealthRoute(app, health);
  app.register(
    async (internal) => {
      // The signature covers the raw bytes, so every body stays unparsed until it is verified.
      internal.removeAllContentTypeParsers();
      internal.addContentTypeParser(
        "*",
        { parseAs: "buffer" },
        async (_request: FastifyRequest, body: Buffer) => body,
      );
      const { onRequest, preHandler, onSend } = signedByEdge(secrets, edgeNow);
      internal.addHook("onRequest", onRequest);
      internal.addHook("preHandler", preHandler);
      internal.addHook("onSend", onSend);
      internal.setNotFoundHandler(answerNotFound);
      addTasksRoute(internal, internalPaths.tasks.slice(internalPrefix.length), {
        nodeId,
        take: takeTasks,
        log,
      });
      addShowsRoute(internal, internalPaths.shows.slice(internalPrefix.length), { readShow, log });
    },
    { prefix: internalPrefix },
  );
  return app;
}

async function answerNotFound(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply.code(404).send({ error: "Not found" });
}
