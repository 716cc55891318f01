import { join } from "node:path";
import type { Log } from "../../log.ts";
import { pause } from "../../reporting/pause.ts";
import type { ProgramEnd } from "../../subprocess/run-program.ts";
import type { DownloaderRun } from "../downloader.ts";
import { startForkServer, type ForkServer, type LoadedProgram } from "./fork-server.ts";
import { openOutputSockets, type OutputSockets } from "./output-sockets.ts";
import { findPythonProgram, type PythonProgram } from "../sealed-program/python-program.ts";

/**
 * A fork server that is restarted when it ends or when the program is replaced. It runs whatever it is asked to: a job
 * has at most two runs at a time, so the node's slots limit them.
 */
export interface KeptForkServer {
  /** Resolves immediately; imports continue in the background. `folder` exists and belongs to the node. */
  start(folder: string): Promise<void>;
  /** Like ForkServer's; also null while no server is ready. */
  run(args: readonly string[], run: DownloaderRun): Promise<ProgramEnd | null>;
  /** Like ForkServer's. */
  loaded(): LoadedProgram | null;
  /** Ends the servers and all their runs. */
  close(): Promise<void>;
}

/** The maximum length of a unix socket's path. */
const socketPathMaxBytes = 103;
const restartFirstMs = 1000;
const restartLongestMs = 60_000;

/** If the program is not written in Python, or the folder's path is too long for a socket, no server is ever ready. */
export function keepForkServer(program: string, log: Log): KeptForkServer {
  const closing = new AbortController();
  const servers = new Set<ForkServer>();
  let current: ForkServer | null = null;
  let sockets: OutputSockets | null = null;
  let keeping: Promise<void> | null = null;
  let lastId = 0;

  async function keep(python: PythonProgram, open: OutputSockets): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const server = startForkServer({ program: python, sockets: open, nextId: () => (lastId += 1), log });
      servers.add(server);
      void server.ended.then(() => servers.delete(server));
      current = server;
      failures = (await server.useless) ? 0 : failures + 1;
      await pause(restartDelayMs(failures), closing.signal);
    }
  }

  return {
    async start(folder) {
      const python = await findPythonProgram(program);
      const path = join(folder, "fork-server.sock");
      if (python === null || Buffer.byteLength(path) > socketPathMaxBytes) {
        log.warn({ is_python: python !== null, path }, "the downloader has no fork server");
        return;
      }
      sockets = await openOutputSockets(path);
      keeping = keep(python, sockets);
    },
    run: (args, run) => (current?.isReady() ? current.run(args, run) : Promise.resolve(null)),
    loaded: () => current?.loaded() ?? null,
    async close() {
      closing.abort();
      await Promise.all([...servers].map((server) => server.close()));
      await keeping;
      sockets?.close();
    },
  };
}

/** A server that worked is restarted immediately; one that never does should cost little. */
export function restartDelayMs(failures: number): number {
  return Math.min(restartLongestMs, restartFirstMs * 2 ** failures);
}
