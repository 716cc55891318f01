import type { FastifyInstance } from "fastify";

export interface Health {
  readonly status: "starting" | "ok" | "isolated" | "draining";
  /** Jobs this node holds. */
  readonly jobs: number;
  readonly slots: number;
}

/** GET /health, open to all: that the process answers, and what it is doing. */
export function addHealthRoute(app: FastifyInstance, health: () => Health): void {
  app.get("/health", async () => health());
}
