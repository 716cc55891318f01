import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { orAborted } from "../pipeline/or-aborted.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { DescriptionOutcome } from "./description-worker.ts";
import { readDescription, type Description } from "./read-description.ts";

/** Reading less takes milliseconds, and starting a thread takes longer. */
const apartMinBytes = 1024 * 1024;
/** Many times the size of the longest description. */
const heapMaxMb = 1024;

/**
 * As `readDescription` of a file, without holding up the rest of the node: a long description takes seconds to read, and
 * a node that sends no heartbeats loses its jobs. While it waits for others, it is not in memory. Rejects with JobFailure, or with the signal's reason.
 */
export async function readDescriptionApart(path: string, signal: AbortSignal): Promise<Description> {
  if ((await stat(path)).size < apartMinBytes) return readDescription(await readFile(path, "utf8"));
  const earlier = lastReading;
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  lastReading = earlier.then(() => isOver);
  try {
    await orAborted(earlier, signal);
    return await readInThread(path, signal);
  } finally {
    end();
  }
}

/** Resolves when all that was asked for has been read: one at a time, since each takes hundreds of megabytes. */
let lastReading = Promise.resolve();

async function readInThread(path: string, signal: AbortSignal): Promise<Description> {
  const worker = new Worker(new URL("description-worker.ts", import.meta.url), {
    workerData: path,
    resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
  });
  try {
    const [outcome]: DescriptionOutcome[] = await once(worker, "message", { signal });
    if (outcome === undefined) throw new Error("the worker's message is empty");
    if ("description" in outcome) return outcome.description;
    throw new JobFailure(outcome.failure.code, outcome.failure.detail);
  } catch (error) {
    signal.throwIfAborted();
    if (!isOutOfMemory(error)) throw error;
    throw new JobFailure("unsupported_url", "describing it takes too much memory", { cause: error });
  } finally {
    await worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
