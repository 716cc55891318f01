import { join } from "node:path";
import type { Log } from "../../log.ts";
import { pause } from "../../reporting/pause.ts";
import type { ProgramEnd } from "../../subprocess/run-program.ts";
import type { DownloaderRun } from "../downloader.ts";
import { startForkServer, type ForkServer } from "./fork-server.ts";
import { openOutputSockets, type OutputSockets } from "./output-sockets.ts";
import { findPythonProgram, type PythonProgram } from "../sealed-program/python-program.ts";

/**
 * A fork server that is started again when it ends, and anew when the program is replaced. It runs what it is asked
 * to: a job has at most two runs at a time, so the node's slots bound them.
 */
export interface KeptForkServer {
  /** Resolves at once; imports go on behind. `folder` exists and is the node's own. */
  start(folder: string): Promise<void>;
  /** As a ForkServer's; null too while none is ready. */
  run(args: readonly string[], run: DownloaderRun): Promise<ProgramEnd | null>;
  /** As a ForkServer's. */
  version(): string | null;
  /** Ends the servers with all their runs. */
  close(): Promise<void>;
}

/** What a unix socket's path may have. */
const socketPathMaxBytes = 103;
const restartFirstMs = 1000;
const restartLongestMs = 60_000;

/** Where the program is not written in Python, or the folder's path is too long for a socket, none is ever ready. */
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
    version: () => current?.version() ?? null,
    async close() {
      closing.abort();
      await Promise.all([...servers].map((server) => server.close()));
      await keeping;
      sockets?.close();
    },
  };
}

/** A server that worked comes back at once, one that never does costs little. */
export function restartDelayMs(failures: number): number {
  return Math.min(restartLongestMs, restartFirstMs * 2 ** failures);
}
