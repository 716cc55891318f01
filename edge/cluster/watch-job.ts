import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import { type JobNews, jobNewsSchema } from "./job-news.ts";

/** A subscription to the registry's news of a job. */
export interface JobWatch {
  /**
   * The next news; null once the subscription is over or has broken, such as when the registry restarts. Never rejects.
   */
  next(): Promise<JobNews | null>;
  /** Ends the subscription, leaving nothing behind in the registry. Never rejects. */
  stop(): Promise<void>;
}

/** Subscribes. Null if the registry does not answer. */
export async function watchJob(
  { registry, newId, log }: Pick<Dependencies, "registry" | "newId" | "log">,
  jobId: string,
): Promise<JobWatch | null> {
  const noteBreak = (error: unknown) => {
    log.info("A job's news stream broke off", { job_id: jobId, ...errorFields(error) });
    return null;
  };
  const watcherId = newId();
  const stream = await registry.watchJob(jobId, watcherId).catch(noteBreak);
  if (stream === null) return null;
  const lines = linesOf(stream);
  const next = async () => {
    const { done, value } = await lines.next();
    return done ? null : jobNewsSchema.parse(JSON.parse(value));
  };
  return {
    next: () => next().catch(noteBreak),
    async stop() {
      try {
        await registry.leaveJob(jobId, watcherId);
        // Read to the end instead of aborting the stream.
        while ((await lines.next()).done !== true);
      } catch (error) {
        noteBreak(error);
      }
    },
  };
}

/** The non-empty lines of a stream. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}
