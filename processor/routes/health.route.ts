import type { FastifyInstance } from "fastify";

export interface Health {
  readonly status: "starting" | "ok" | "isolated" | "draining";
  /** Jobs this node holds. */
  readonly jobs: number;
  readonly slots: number;
}

/**
 * Public. GET /health says that the process is alive and what it is doing. GET /ready is the same but answers 503 while
 * the node takes no jobs, for probes that only look at the status.
 */
export function addHealthRoute(app: FastifyInstance, health: () => Health): void {
  app.get("/health", async () => health());
  app.get("/ready", async (_request, reply) => {
    const now = health();
    return reply.code(now.status === "ok" ? 200 : 503).send(now);
  });
}
