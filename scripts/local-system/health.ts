import { setTimeout as sleep } from "node:timers/promises";
import type { Supervised } from "./supervise.ts";

const pollMs = 100;
const askTimeoutMs = 2000;
const watchIntervalMs = 2000;
const silencesMax = 5;

/** Resolves once the address answers 200. Rejects when the signal fires first. */
export async function waitUntilHealthy(url: string, signal: AbortSignal): Promise<void> {
  while (!(await isHealthy(url, signal))) await sleep(pollMs, undefined, { signal });
}

/**
 * Ends a program that runs and does not answer, so that it is started again: a Worker's runtime that was killed comes
 * back under the program that began it, and never answers. Resolves when the program is asked to stop.
 */
export async function watchHealth(
  url: string,
  program: Supervised,
  intervalMs = watchIntervalMs,
): Promise<void> {
  const { stopping } = program;
  let silences = 0;
  while (!stopping.aborted) {
    await sleep(intervalMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    silences = (await isHealthy(url, stopping).catch(() => true)) ? 0 : silences + 1;
    if (silences < silencesMax) continue;
    program.kill();
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
