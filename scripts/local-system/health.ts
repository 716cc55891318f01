import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 100;
const askTimeoutMs = 2000;

/** Resolves once the address answers 200. Rejects when the signal fires first. */
export async function waitUntilHealthy(url: string, signal: AbortSignal): Promise<void> {
  while (!(await isHealthy(url, signal))) await sleep(pollMs, undefined, { signal });
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
