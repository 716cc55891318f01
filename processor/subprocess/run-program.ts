import { execa } from "execa";
import { bareEnvironment } from "./bare-environment.ts";
import { readStderr, readStdout } from "./program-output.ts";

export interface Program {
  /** Found on PATH. */
  readonly name: string;
  readonly args: readonly string[];
  /** Working directory, and HOME and TMPDIR of the program: the job's folder. */
  readonly folder: string;
  /** Everything it finds in its environment besides PATH, LANG, HOME and TMPDIR. */
  readonly env?: Readonly<Record<string, string>>;
  /** Kills it; the run then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** It is killed when it writes more than this to its standard output. */
  readonly stdoutMaxBytes: number;
  /** Gets each line of standard output as it comes; `stdout` of the result is then empty. */
  readonly onLine?: (line: string) => void;
}

export interface ProgramEnd {
  /** `deadline` and `flooded` (wrote too much): it was killed for that. */
  readonly outcome: "exited" | "deadline" | "flooded";
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** The last 16 KiB. */
  readonly stderr: string;
}

const termToKillMs = 2000;

/**
 * Runs a program in a process group of its own, with no input and a bare environment. Whatever happens, nothing of
 * the group runs on: SIGTERM, then SIGKILL two seconds later, and SIGKILL for what its leader left behind.
 * Rejects with the signal's reason when aborted, with an Error when the program cannot be started.
 */
export async function runProgram(program: Program): Promise<ProgramEnd> {
  const { name, args, folder, env, signal, deadlineMs, stdoutMaxBytes, onLine } = program;
  signal.throwIfAborted();
  const subprocess = execa(name, args, {
    cwd: folder,
    env: { ...bareEnvironment(folder), ...env },
    extendEnv: false,
    stdin: "ignore",
    buffer: false,
    encoding: "buffer",
    reject: false,
    killDescendants: true,
    forceKillAfterDelay: termToKillMs,
    cancelSignal: signal,
    timeout: deadlineMs,
  });
  // What the leader leaves behind would run on, and keep the pipes open that are waited for.
  subprocess.nodeChildProcess.once("exit", () => subprocess.kill("SIGKILL"));

  let flooded = false;
  const onFlood = () => {
    flooded = true;
    subprocess.kill("SIGKILL");
  };
  const stdout = readStdout(subprocess.stdout, { maxBytes: stdoutMaxBytes, onFlood, onLine });
  const stderr = readStderr(subprocess.stderr);

  const result = await subprocess;
  signal.throwIfAborted();
  if (subprocess.pid === undefined) {
    throw new Error(`${name} could not be started`, { cause: result });
  }
  return {
    outcome: flooded ? "flooded" : result.timedOut ? "deadline" : "exited",
    exitCode: result.exitCode ?? null,
    stdout: stdout(),
    stderr: stderr(),
  };
}
