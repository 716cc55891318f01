import type { Log } from "../../log.ts";
import type { ProgramEnd } from "../../subprocess/run-program.ts";
import { downloaderAgeDays } from "../downloader-age.ts";
import type { DownloaderRun } from "../downloader.ts";
import type { PythonProgram } from "../sealed-program/python-program.ts";
import { unsealedMark } from "../sealed-program/sealed-command.ts";
import { type ForkedRun, startForkedRun } from "./forked-run.ts";
import type { OutputSockets } from "./output-sockets.ts";
import { readServerEvent } from "./server-event.ts";
import { startServerProcess } from "./server-process.ts";

export interface LoadedProgram {
  /** As the program reports it; null: it does not. */
  readonly version: string | null;
  /** Whether its runs are sealed, see `sealed_program.py`. */
  readonly isSealed: boolean;
}

/** A process that has the program's imports in memory and forks a child for each run. */
export interface ForkServer {
  /** Its imports are done and it takes runs. */
  isReady(): boolean;
  /** What was loaded; null: nothing yet. */
  loaded(): LoadedProgram | null;
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

const closeMaxMs = 2000;

/**
 * Starts a server. It ends when this process ends, whatever the cause, because its standard input is closed then.
 * Should the server itself be killed, its runs are ended from here.
 */
export function startForkServer({ program, sockets, nextId, log }: ForkServerOptions): ForkServer {
  /** By id, from their request until nothing of them is left. */
  const runs = new Map<number, ForkedRun>();
  const { promise: useless, resolve: becomeUseless } = Promise.withResolvers<boolean>();
  /** Moves forward only. `retired`: it takes no more runs. */
  let phase: "loading" | "ready" | "retired" = "loading";
  let loaded: LoadedProgram | null = null;

  const server = startServerProcess(program, sockets.path, takeLine);
  const ended = watch();

  async function watch(): Promise<void> {
    const { exitCode, signal, stderr } = await server.ended;
    if (phase !== "retired") {
      log.warn({ exit_code: exitCode, signal, stderr }, "the fork server ended");
    }
    becomeUseless(phase !== "loading");
    phase = "retired";
    for (const lost of runs.values()) lost.lose();
  }

  function takeLine(line: string): void {
    const event = readServerEvent(line);
    if (event === null) {
      log.error("the fork server wrote an invalid event");
      server.kill();
    } else if ("ready" in event) {
      if (phase === "loading") phase = "ready";
      loaded = { version: event.version, isSealed: event.sealed };
      const ageDays = downloaderAgeDays(event.version ?? "", Date.now());
      log.info({ yt_dlp: event.version, age_days: ageDays }, "the fork server is ready");
      if (!event.sealed) log.warn({ yt_dlp: event.version }, unsealedMark);
    } else {
      if ("replaced" in event) retire();
      if ("refused" in event) log.warn({ reason: event.refused }, "the fork server could not start a run");
      runs.get(event.id)?.take(event);
    }
  }

  function retire(): void {
    log.info("the downloader was updated, starting a new fork server");
    phase = "retired";
    becomeUseless(true);
  }

  function giveUp(): void {
    log.warn("the fork server does not answer");
    server.kill();
  }

  async function run(args: readonly string[], request: DownloaderRun): Promise<ProgramEnd | null> {
    request.signal.throwIfAborted();
    const id = nextId();
    const forked = startForkedRun({ id, args, request, sockets, send: server.send, onSilence: giveUp });
    runs.set(id, forked);
    try {
      return await forked.end;
    } finally {
      runs.delete(id);
      if (phase === "retired" && runs.size === 0) server.end();
    }
  }

  return {
    isReady: () => phase === "ready",
    loaded: () => loaded,
    run,
    useless,
    ended,
    async close() {
      phase = "retired";
      server.end();
      const timer = setTimeout(() => server.kill(), closeMaxMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
