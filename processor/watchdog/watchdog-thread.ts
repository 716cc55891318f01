import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";

export interface WatchdogLimits {
  /** Changes whenever the event loop turns. */
  readonly turns: Int32Array;
  readonly checkMs: number;
  /** How many checks in a row may find no change. */
  readonly checksMax: number;
}

const stdout = 1;
const { turns, checkMs, checksMax }: WatchdogLimits = workerData;
let seen = 0;
let unchanged = 0;

// Checks are counted instead of time, which also passes while the whole process is suspended.
setInterval(() => {
  const now = Atomics.load(turns, 0);
  unchanged = now === seen ? unchanged + 1 : 0;
  seen = now;
  if (unchanged < checksMax) return;
  // The log's own thread of execution is the one that stands.
  const message = `the node's event loop stood for ${(checkMs * checksMax) / 1000} s`;
  writeSync(stdout, `${JSON.stringify({ level: "fatal", time: Date.now(), message })}\n`);
  process.kill(process.pid, "SIGKILL");
}, checkMs);
