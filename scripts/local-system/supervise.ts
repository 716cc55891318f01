import { setTimeout as sleep } from "node:timers/promises";
import type { Guard } from "./guard-client.ts";
import { startGroup, type Exit, type Program } from "./process-group.ts";
import { earlyEnds, restartDelayMs } from "./restart-delay.ts";

export interface Supervised {
  /** Resolves at the program's first unrequested end, and rejects if it cannot be started. */
  readonly firstEnd: Promise<Exit>;
  /** Aborts when the program is asked to stop permanently. */
  readonly stopping: AbortSignal;
  /** How often the program has been started so far, from 1. */
  starts(): number;
  /** The process that was started last; undefined if it could not be. */
  pid(): number | undefined;
  /** Kills the program, which is then restarted. */
  kill(): void;
  /** Pauses the program until `resume`. */
  halt(): void;
  resume(): void;
  /** Stops the program, by force if it takes longer than `graceMs`; resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
}

/** Keeps a program running: one that ends is restarted, with growing delays while it keeps ending early. */
export function supervise(program: Program, guard: Guard, say: (line: string) => void): Supervised {
  const stopping = new AbortController();
  const firstEnd = Promise.withResolvers<Exit>();
  let group = startGroup(program, guard);
  let starts = 1;
  const ended = keepRunning();
  ended.catch(firstEnd.reject);
  firstEnd.promise.catch(() => {});

  async function keepRunning(): Promise<void> {
    for (let ends = 0; ;) {
      const begun = performance.now();
      const exit = await group.ended;
      if (stopping.signal.aborted) return;
      firstEnd.resolve(exit);
      ends = earlyEnds(ends, performance.now() - begun);
      await sleep(restartDelayMs(ends), undefined, { signal: stopping.signal }).catch(ignoreAbort);
      if (stopping.signal.aborted) return;
      say(`${program.name} ended (${exit.signal ?? `exit code ${exit.code}`}); starting it again`);
      group = startGroup(program, guard);
      starts += 1;
    }
  }

  return {
    firstEnd: firstEnd.promise,
    stopping: stopping.signal,
    starts: () => starts,
    pid: () => group.pid,
    kill: () => group.kill(),
    halt: () => group.halt(),
    resume: () => group.resume(),
    async stop(graceMs) {
      stopping.abort();
      group.terminate();
      const force = setTimeout(() => group.kill(), graceMs);
      await ended;
      clearTimeout(force);
    },
  };
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
