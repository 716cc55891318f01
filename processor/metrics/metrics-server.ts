import { fastify, type FastifyInstance } from "fastify";
import type { Registry } from "prom-client";

/**
 * GET /metrics for Prometheus, not yet listening. It needs no authentication and therefore has its own port, separate
 * from the one the edge uses.
 */
export function buildMetricsServer(registry: Registry): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true });
  app.get("/metrics", async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  return app;
}
