import { setTimeout as sleep } from "node:timers/promises";
import type { Supervised } from "./supervise.ts";

type Watched = Pick<Supervised, "stopping" | "starts" | "kill">;

const pollMs = 100;
const askTimeoutMs = 2000;
const watchIntervalMs = 2000;
const silencesMax = 5;

/** Resolves once the address answers 200. Rejects when the signal fires first. */
export async function waitUntilHealthy(url: string, signal: AbortSignal): Promise<void> {
  while (!(await isHealthy(url, signal))) await sleep(pollMs, undefined, { signal });
}

/**
 * Kills a program that worked and no longer answers, so that it is restarted: a Worker's runtime that was killed is
 * restarted by its parent program, but never answers. A program that is still starting is left alone, however long it
 * takes. Resolves when the program is asked to stop.
 */
export async function watchHealth(
  url: string,
  program: Watched,
  intervalMs = watchIntervalMs,
): Promise<void> {
  const { stopping } = program;
  /** The number of the start that has answered and was not killed since; 0 for none. */
  let answeredStart = 0;
  let silences = 0;
  while (!stopping.aborted) {
    await sleep(intervalMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    const start = program.starts();
    if (await isHealthy(url, stopping).catch(() => true)) {
      answeredStart = start;
      silences = 0;
    } else {
      silences = program.starts() === answeredStart ? silences + 1 : 0;
    }
    if (silences < silencesMax) continue;
    program.kill();
    answeredStart = 0;
    silences = 0;
  }
}

async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(askTimeoutMs)]),
    });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
