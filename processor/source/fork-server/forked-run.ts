import { bareEnvironment } from "../../subprocess/bare-environment.ts";
import { resourceLimits } from "../../subprocess/resource-limits.ts";
import type { ProgramEnd } from "../../subprocess/run-program.ts";
import { downloaderSurroundings, type DownloaderRun } from "../downloader.ts";
import type { OutputSockets } from "./output-sockets.ts";
import { openRunOutput } from "./run-output.ts";
import type { RunEvent, RunExit } from "./server-event.ts";

/** One run of a fork server. Whoever reads the server's events passes on those of the run. */
export interface ForkedRun {
  take(event: RunEvent): void;
  /** The server has ended: no more events come. */
  lose(): void;
  /** Settles like ForkServer's `run`. */
  readonly end: Promise<ProgramEnd | null>;
}

interface RunToFork {
  /** Never used before. */
  readonly id: number;
  readonly args: readonly string[];
  readonly request: DownloaderRun;
  readonly sockets: OutputSockets;
  /** Sends a request to the server. */
  readonly send: (request: object) => void;
  /** Called if the server does not answer a request in time. */
  readonly onSilence: () => void;
}

/** Longer than the server takes for anything on a busy machine; a run's own duration does not count. */
const answerMaxMs = 15_000;
const lostExit = { exit_code: null, exhausted: false };

/**
 * Asks the server for a run, and for its end at the deadline, at a flood of output or when the signal is aborted. If
 * the server ends or is killed, the run is ended from here.
 */
export function startForkedRun({ id, args, request, sockets, send, onSilence }: RunToFork): ForkedRun {
  const { folder, signal, deadlineMs, stdoutMaxBytes, onLine, stdoutPath } = request;
  const { promise: exited, resolve: settle } = Promise.withResolvers<RunExit | "lost">();
  const output = openRunOutput(sockets, id, {
    maxBytes: stdoutMaxBytes,
    onFlood: () => stop("flooded"),
    onLine,
    path: stdoutPath,
  });
  /** Known once the server has forked it. */
  let pid: number | null = null;
  let outcome: ProgramEnd["outcome"] = "exited";
  /** Runs while the server owes an answer. */
  let answerTimer: NodeJS.Timeout | undefined;

  function ask(question: object): void {
    clearTimeout(answerTimer);
    answerTimer = setTimeout(onSilence, answerMaxMs);
    send({ id, ...question });
  }

  function stop(why: ProgramEnd["outcome"]): void {
    outcome = why;
    output.cut();
    ask({ kill: true });
  }

  function take(event: RunEvent): void {
    clearTimeout(answerTimer);
    if ("pid" in event) pid = event.pid;
    else settle("exit_code" in event ? event : "lost");
  }

  async function follow(): Promise<ProgramEnd | null> {
    const deadline = setTimeout(stop, deadlineMs, "deadline");
    const abort = () => stop("exited");
    signal.addEventListener("abort", abort, { once: true });
    try {
      const limits = resourceLimits({ ...request, ...downloaderSurroundings });
      const env = { ...bareEnvironment(folder), ...downloaderSurroundings.env };
      ask({ args, folder, env, limits });
      const exit = await exited;
      clearTimeout(answerTimer);
      if (exit === "lost" && pid !== null) killGroup(pid);
      // Its streams end when the last process that holds them is gone.
      if (exit !== "lost" || pid !== null) await output.over;
      signal.throwIfAborted();
      if (outcome === "exited" && (exit === "lost" || output.isBroken())) return null;
      const { exit_code: exitCode, exhausted } = exit === "lost" ? lostExit : exit;
      if (outcome === "exited" && exhausted) outcome = "exhausted";
      // What was cut off cannot be saved whole.
      const isCut = outcome !== "exited" && stdoutPath !== undefined;
      const stdout = isCut ? "" : await output.stdout();
      return { outcome, exitCode, stdout, stderr: output.stderr() };
    } finally {
      clearTimeout(deadline);
      clearTimeout(answerTimer);
      signal.removeEventListener("abort", abort);
      output.cut();
    }
  }

  return { take, lose: () => settle("lost"), end: follow() };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!isGone) throw error;
  }
}
