import { fastify, type FastifyInstance } from "fastify";
import type { Registry } from "prom-client";

/**
 * GET /metrics for Prometheus, not yet listening. It is open to all who reach it, so it has a port of its own, which the
 * port that the edge reaches need not share with the world.
 */
export function buildMetricsServer(registry: Registry): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true });
  app.get("/metrics", async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  return app;
}
