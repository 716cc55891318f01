import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ferry, Job } from "../../client/ferry-client.ts";
import { mediaFiles } from "../origin/make-media.ts";
import type { Luck } from "./luck.ts";

/**
 * How many jobs are unfinished at a time. One node has slots for all of them, so that none has to wait for the other
 * node's slots.
 */
export const unfinishedMin = 8;
const answerMs = 5000;
const intervalMs = 500;

/** Where the jobs' media comes from. */
interface Sources {
  /** Serves `mediaFiles` and the long episode. */
  readonly originUrl: string;
  /** Its path there. */
  readonly longEpisode: string;
}

/** The jobs of a soak, as seen by their client. */
export class SoakedJobs {
  readonly #ferry: Ferry;
  readonly #sources: Sources;
  readonly #luck: Luck;
  readonly #unfinished = new Set<string>();
  readonly ends = { Completed: 0, Failed: 0 };
  /** Requests without a response, to be repeated until there is one. */
  readonly #unanswered = new Map<string, string>();

  constructor(ferry: Ferry, sources: Sources, luck: Luck) {
    this.#ferry = ferry;
    this.#sources = sources;
    this.#luck = luck;
  }

  get accepted(): number {
    return this.#unfinished.size + this.ends.Completed + this.ends.Failed;
  }

  summary(): string {
    return `${this.ends.Completed} jobs completed, ${this.ends.Failed} failed, ${this.#unfinished.size} unfinished`;
  }

  /** Keeps the intended number of jobs running, as far as the edge answers. */
  async keepBusy(): Promise<void> {
    await this.#look();
    while (this.#unfinished.size + this.#unanswered.size < unfinishedMin)
      this.#unanswered.set(randomUUID(), this.#anyUrl());
    await this.#sendUnanswered();
  }

  /** Null if the edge does not answer. */
  async #read(id: string): Promise<Job | null> {
    return this.#quietly(async (signal) => {
      const { data } = await this.#ferry.GET("/jobs/{id}", { params: { path: { id } }, signal });
      return data ?? null;
    });
  }

  async cancelOne(): Promise<void> {
    const [id] = this.#unfinished;
    if (id === undefined) return;
    await this.#quietly(async (signal) => {
      await this.#ferry.POST("/jobs/{id}/cancel", { params: { path: { id } }, signal });
      return null;
    });
  }

  /** How many have not ended after this time. */
  async waitForAll(patienceMs: number, signal: AbortSignal): Promise<number> {
    const until = performance.now() + patienceMs;
    while (this.#unfinished.size + this.#unanswered.size > 0 && performance.now() < until) {
      await this.#sendUnanswered();
      await this.#look();
      await sleep(intervalMs, undefined, { signal });
    }
    return this.#unfinished.size + this.#unanswered.size;
  }

  #anyUrl(): string {
    const { originUrl, longEpisode } = this.#sources;
    const file = this.#luck.oneOf([
      mediaFiles.mp4,
      mediaFiles.mp3,
      mediaFiles.m4a,
      mediaFiles.webm,
      longEpisode,
    ]);
    const slowest = file === longEpisode ? 1_000_000 : 20_000;
    const rate = Math.round(this.#luck.between(slowest, 10 * slowest));
    return `${originUrl}/slow/${file}?bytes_per_second=${rate}`;
  }

  async #sendUnanswered(): Promise<void> {
    for (const [key, url] of this.#unanswered) {
      const id = await this.#quietly(async (signal) => {
        const headers = { "idempotency-key": key };
        const { data } = await this.#ferry.POST("/jobs", { body: { url }, headers, signal });
        return data && "job_id" in data ? data.job_id : null;
      });
      if (id === null) return;
      this.#unanswered.delete(key);
      this.#unfinished.add(id);
    }
  }

  async #look(): Promise<void> {
    for (const id of this.#unfinished) {
      const job = await this.#read(id);
      if (job === null) return;
      if (job.status !== "Completed" && job.status !== "Failed") continue;
      this.#unfinished.delete(id);
      this.ends[job.status] += 1;
    }
  }

  /** An edge that is down or paused is what a soak is about. */
  async #quietly<Answer>(ask: (signal: AbortSignal) => Promise<Answer | null>): Promise<Answer | null> {
    try {
      return await ask(AbortSignal.timeout(answerMs));
    } catch {
      return null;
    }
  }
}
