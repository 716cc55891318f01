import { Worker } from "node:worker_threads";
import type { WatchdogLimits } from "./watchdog-thread.ts";

/** Long enough for the slowest collection of garbage; without a heartbeat for 15 s the node counts as lost anyway. */
const defaultLimits = { checkMs: 1000, checksMax: 10 };

/**
 * Ends this process with SIGKILL once its event loop has stood for ten seconds, so that whoever supervises it starts
 * another: a node that answers nothing keeps its jobs from all others. It does not keep the process running.
 */
export function startWatchdog(limits: Omit<WatchdogLimits, "turns"> = defaultLimits): void {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: WatchdogLimits = { ...limits, turns };
  new Worker(new URL("watchdog-thread.ts", import.meta.url), { workerData }).unref();
  setInterval(() => Atomics.add(turns, 0, 1), limits.checkMs / 2).unref();
}
