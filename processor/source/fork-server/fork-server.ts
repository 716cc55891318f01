import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { z } from "zod";
import type { Log } from "../../log.ts";
import { bareEnvironment } from "../../subprocess/bare-environment.ts";
import { readStderr } from "../../subprocess/program-output.ts";
import { resourceLimits } from "../../subprocess/resource-limits.ts";
import type { ProgramEnd } from "../../subprocess/run-program.ts";
import { downloaderAddressSpaceBytes, type DownloaderRun } from "../downloader.ts";
import type { OutputSockets } from "./output-sockets.ts";
import type { PythonProgram } from "../sealed-program/python-program.ts";
import { openRunOutput } from "./run-output.ts";

/** A process that has the program's imports in memory and forks a child for each run. */
export interface ForkServer {
  /** Its imports are done and it takes runs. */
  isReady(): boolean;
  /** The version the program reports; null: none, or not yet. */
  version(): string | null;
  /**
   * Runs the program like `runProgram`. Null if that failed for a reason other than the program itself (the server
   * refused, died or hung): then nothing of the run is left, and the program has to be started directly. Rejects with
   * the signal's reason when aborted.
   */
  run(args: readonly string[], run: DownloaderRun): Promise<ProgramEnd | null>;
  /**
   * Resolves when it takes no more runs, with whether it was ever ready: it ended, or the program was replaced on disk,
   * in which case it ends by itself after its last run.
   */
  readonly useless: Promise<boolean>;
  readonly ended: Promise<void>;
  /** Ends it and all its runs; resolves when it has ended. */
  close(): Promise<void>;
}

export interface ForkServerOptions {
  readonly program: PythonProgram;
  readonly sockets: OutputSockets;
  /** The next run's id, never reused: the runs of successive servers share the sockets. */
  readonly nextId: () => number;
  readonly log: Log;
}

/** Longer than the server takes for anything on a busy machine; a run's own duration does not count. */
const answerMaxMs = 15_000;
const closeMaxMs = 2000;
const script = fileURLToPath(new URL("fork_server.py", import.meta.url));

const eventSchema = z.union([
  z.object({ ready: z.literal(true), version: z.string().nullable() }),
  z.object({ id: z.number(), pid: z.number() }),
  z.object({ id: z.number(), exit_code: z.number().nullable() }),
  z.object({ id: z.number(), refused: z.string() }),
  z.object({ id: z.number(), replaced: z.literal(true) }),
]);

interface Running {
  pid: number | null;
  /** The server answered the last request. */
  answered(): void;
  ended(exitCode: number | null): void;
  lost(): void;
}

/**
 * Starts a server. It ends when this process ends, whatever the cause, because its standard input is closed then.
 * Should the server itself be killed, its runs are ended from here.
 */
export function startForkServer({ program, sockets, nextId, log }: ForkServerOptions): ForkServer {
  const running = new Map<number, Running>();
  const { promise: useless, resolve: becomeUseless } = Promise.withResolvers<boolean>();
  let phase: "loading" | "ready" | "retired" = "loading";
  let version: string | null = null;

  const subprocess = execa(program.interpreter, ["-I", "-B", script, program.path, sockets.path], {
    cwd: "/",
    env: bareEnvironment("/"),
    extendEnv: false,
    detached: true,
    buffer: false,
    encoding: "buffer",
    reject: false,
  });
  const complaints = readStderr(subprocess.stderr);
  // A server that is gone does not read; what matters is that it ended.
  subprocess.stdin.on("error", () => undefined);
  createInterface({ input: subprocess.stdout }).on("line", takeEvent);
  const ended = watch();

  async function watch(): Promise<void> {
    const { exitCode, signal } = await subprocess;
    if (phase !== "retired") {
      log.warn({ exit_code: exitCode, signal, stderr: complaints() }, "the fork server ended");
    }
    becomeUseless(phase !== "loading");
    phase = "retired";
    for (const asked of running.values()) asked.lost();
  }

  function takeEvent(line: string): void {
    const event = readEvent(line);
    if (event === null) {
      log.error("the fork server wrote an invalid event");
      subprocess.kill("SIGKILL");
      return;
    }
    if ("ready" in event) {
      if (phase === "loading") phase = "ready";
      version = event.version;
      log.info("the fork server is ready");
      return;
    }
    const asked = running.get(event.id);
    asked?.answered();
    if ("pid" in event) {
      if (asked) asked.pid = event.pid;
    } else if ("exit_code" in event) {
      asked?.ended(event.exit_code);
    } else {
      if ("replaced" in event) retire();
      else log.warn({ reason: event.refused }, "the fork server could not start a run");
      asked?.lost();
    }
  }

  function retire(): void {
    log.info("the downloader was updated, starting a new fork server");
    phase = "retired";
    becomeUseless(true);
  }

  function endWhenIdle(): void {
    if (phase === "retired" && running.size === 0) subprocess.stdin.end();
  }

  function send(request: object): void {
    subprocess.stdin.write(`${JSON.stringify(request)}\n`);
  }

  function giveUp(): void {
    log.warn("the fork server does not answer");
    subprocess.kill("SIGKILL");
  }

  async function run(args: readonly string[], request: DownloaderRun): Promise<ProgramEnd | null> {
    const { folder, signal, deadlineMs, stdoutMaxBytes, onLine } = request;
    signal.throwIfAborted();
    const id = nextId();
    const { promise: end, resolve: settle } = Promise.withResolvers<{ exitCode: number | null } | "lost">();
    let outcome: ProgramEnd["outcome"] = "exited";
    let answerTimer: NodeJS.Timeout | undefined;

    const ask = (question: object) => {
      clearTimeout(answerTimer);
      answerTimer = setTimeout(giveUp, answerMaxMs);
      send({ id, ...question });
    };
    const stop = (why: ProgramEnd["outcome"]) => {
      outcome = why;
      output.cut();
      ask({ kill: true });
    };
    const abort = () => stop("exited");
    const output = openRunOutput(sockets, id, {
      maxBytes: stdoutMaxBytes,
      onFlood: () => stop("flooded"),
      onLine,
    });
    const entry: Running = {
      pid: null,
      answered: () => clearTimeout(answerTimer),
      ended: (exitCode) => settle({ exitCode }),
      lost: () => settle("lost"),
    };
    const deadline = setTimeout(stop, deadlineMs, "deadline");
    signal.addEventListener("abort", abort, { once: true });
    running.set(id, entry);
    try {
      const limits = resourceLimits({ ...request, addressSpaceBytes: downloaderAddressSpaceBytes });
      ask({ args, folder, env: bareEnvironment(folder), limits });
      const how = await end;
      clearTimeout(answerTimer);
      if (how === "lost" && entry.pid !== null) killGroup(entry.pid);
      // Its streams end when the last process that holds them is gone.
      if (how !== "lost" || entry.pid !== null) await output.over;
      signal.throwIfAborted();
      if (outcome === "exited" && (how === "lost" || output.isBroken())) return null;
      const exitCode = how === "lost" ? null : how.exitCode;
      return { outcome, exitCode, stdout: output.stdout(), stderr: output.stderr() };
    } finally {
      clearTimeout(deadline);
      clearTimeout(answerTimer);
      signal.removeEventListener("abort", abort);
      output.cut();
      running.delete(id);
      endWhenIdle();
    }
  }

  return {
    isReady: () => phase === "ready",
    version: () => version,
    run,
    useless,
    ended,
    async close() {
      phase = "retired";
      subprocess.stdin.end();
      const timer = setTimeout(() => subprocess.kill("SIGKILL"), closeMaxMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Null for what is not an event, such as half a line. */
function readEvent(line: string): z.infer<typeof eventSchema> | null {
  try {
    return eventSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!isGone) throw error;
  }
}
