import type { FastifyInstance } from "fastify";
import type { ToolFacts } from "../dependencies.ts";
import { downloaderAgeDays } from "../source/downloader-age.ts";

export interface ToolHealth {
  readonly yt_dlp: {
    readonly version: string;
    /** Since its release; null if its version does not tell. */
    readonly age_days: number | null;
    /** False: instructions that strangers put into a URL reach it. */
    readonly sealed: boolean;
    /** What runs the scripts of pages; null: nothing, and sites that need it fail. */
    readonly javascript_runtime: string | null;
  };
  readonly ffmpeg: string;
}

export interface Health extends ToolHealth {
  readonly status: "starting" | "ok" | "isolated" | "draining";
  /** Jobs this node holds. */
  readonly jobs: number;
  readonly slots: number;
}

/** The node's programs as /health shows them, at `now` in Unix milliseconds. */
export function describeTools(facts: ToolFacts, now: number): ToolHealth {
  return {
    yt_dlp: {
      version: facts.yt_dlp,
      age_days: downloaderAgeDays(facts.yt_dlp, now),
      sealed: facts.yt_dlp_sealed,
      javascript_runtime: facts.javascript_runtime,
    },
    ffmpeg: facts.ffmpeg,
  };
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
