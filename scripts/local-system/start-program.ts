import { Problem } from "../problem.ts";
import type { Guard } from "./guard-client.ts";
import { waitUntilHealthy } from "./health.ts";
import { lastLines } from "./log-files.ts";
import type { Program } from "./process-group.ts";
import { supervise, type Supervised } from "./supervise.ts";

const startTimeoutMs = 60_000;
const shownLogLines = 20;

interface Surroundings {
  readonly guard: Guard;
  /** Aborting gives up; stopping what was started is left to the caller. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Called with the program as soon as it is started, so that it can be stopped whatever happens. */
  readonly onStarted: (supervised: Supervised) => void;
}

/**
 * Starts a program that is kept running, and resolves when `url` answers 200. Throws a Problem that includes the end of
 * its log.
 */
export async function startProgram(program: Program, url: string, around: Surroundings): Promise<Supervised> {
  const supervised = supervise(program, around.guard, around.say);
  around.onStarted(supervised);
  const giveUp = new AbortController();
  const patience = AbortSignal.any([around.signal, giveUp.signal, AbortSignal.timeout(startTimeoutMs)]);
  const healthy = waitUntilHealthy(url, patience).then(
    () => true,
    () => false,
  );
  const started = await Promise.race([healthy, supervised.firstEnd.then(() => false)]);
  giveUp.abort();
  around.signal.throwIfAborted();
  if (started) return supervised;
  const log = await lastLines(program.logFile, shownLogLines);
  throw new Problem(`${program.name} did not start. Its log (${program.logFile}) ends with:\n${log}`);
}
