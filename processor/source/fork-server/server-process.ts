import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { bareEnvironment } from "../../subprocess/bare-environment.ts";
import { readStderr } from "../../subprocess/program-output.ts";
import type { PythonProgram } from "../sealed-program/python-program.ts";

/** The process of a fork server. It ends when this process ends, whatever the cause: its input is closed then. */
export interface ServerProcess {
  /** What was sent to a process that is gone is lost without an error. */
  readonly send: (request: object) => void;
  /** Closes its input, whereupon it ends itself and everything it started. */
  end(): void;
  kill(): void;
  /** Resolves when it has ended. */
  readonly ended: Promise<ProcessEnd>;
}

interface ProcessEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** The last 16 KiB. */
  readonly stderr: string;
}

const script = fileURLToPath(new URL("fork_server.py", import.meta.url));

/** Starts it with the socket that its runs write to; `onLine` is called with each line it writes itself. */
export function startServerProcess(
  program: PythonProgram,
  socketPath: string,
  onLine: (line: string) => void,
): ServerProcess {
  const subprocess = execa(program.interpreter, ["-I", "-B", script, program.path, socketPath], {
    cwd: "/",
    env: bareEnvironment("/"),
    extendEnv: false,
    detached: true,
    buffer: false,
    encoding: "buffer",
    reject: false,
  });
  const stderr = readStderr(subprocess.stderr);
  // A server that is gone does not read; what matters is that it ended.
  subprocess.stdin.on("error", () => undefined);
  createInterface({ input: subprocess.stdout }).on("line", onLine);
  return {
    send: (request) => void subprocess.stdin.write(`${JSON.stringify(request)}\n`),
    end: () => void subprocess.stdin.end(),
    kill: () => void subprocess.kill("SIGKILL"),
    ended: subprocess.then(({ exitCode, signal }) => ({ exitCode, signal, stderr: stderr() })),
  };
}
