import type { FastifyInstance } from "fastify";

export interface Health {
  readonly status: "starting" | "ok" | "isolated" | "draining";
  /** Jobs this node holds. */
  readonly jobs: number;
  readonly slots: number;
}

/**
 * Open to all. GET /health: that the process answers, and what it is doing. GET /ready: the same, as 503 while it takes
 * no jobs, for what decides by the status alone.
 */
export function addHealthRoute(app: FastifyInstance, health: () => Health): void {
  app.get("/health", async () => health());
  app.get("/ready", async (_request, reply) => {
    const now = health();
    return reply.code(now.status === "ok" ? 200 : 503).send(now);
  });
}
