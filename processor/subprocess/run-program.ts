import { Writable } from "node:stream";
import { execa } from "execa";
import { bareEnvironment } from "./bare-environment.ts";
import { feedPipe } from "./feed-pipe.ts";
import { readStderr, readStdout } from "./program-output.ts";
import { boundedCommand, notStartedCodes, type ProgramBounds } from "./resource-limits.ts";

export interface Program extends ProgramBounds {
  /** Found on the PATH. */
  readonly name: string;
  readonly args: readonly string[];
  /** Working directory, and HOME and TMPDIR of the program: the job's folder. */
  readonly folder: string;
  /** Everything in its environment besides PATH, LANG, HOME and TMPDIR. */
  readonly env?: Readonly<Record<string, string>>;
  /** Kills it; the run then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** It is killed if it writes more than this to its standard output. */
  readonly stdoutMaxBytes: number;
  /** Called with each line of standard output as it arrives; `stdout` of the result is then empty. */
  readonly onLine?: (line: string) => void;
  /** The file in which its standard output is saved; `stdout` of the result is then empty. */
  readonly stdoutPath?: string;
  /** What it can read from its file descriptors 3, 4 and so on. If one fails, the program and the run end. */
  readonly feeds?: readonly AsyncIterable<Buffer>[] | undefined;
}

export interface ProgramEnd {
  /**
   * For all but `exited`, it was killed for that reason. `exhausted`: too much processor time, `flooded`: too much
   * output, `oversized`: a file too large.
   */
  readonly outcome: "exited" | "deadline" | "exhausted" | "flooded" | "oversized";
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** The last 16 KiB. */
  readonly stderr: string;
}

/** What the kernel sends to a program that exceeds its bounds. */
const bySignal: Readonly<Record<string, ProgramEnd["outcome"]>> = {
  SIGXCPU: "exhausted",
  SIGXFSZ: "oversized",
};
const termToKillMs = 2000;
/** The file descriptor of the first feed. */
export const firstPipe = 3;

/**
 * Runs a program in its own process group, without input, in a bare environment and within bounds enforced by the
 * kernel. Whatever happens, nothing of the group is left running: SIGTERM, then SIGKILL two seconds later, and SIGKILL
 * for what its leader left behind. Rejects with the signal's reason when aborted, and with an Error if the program
 * cannot be started.
 */
export async function runProgram(program: Program): Promise<ProgramEnd> {
  const {
    name,
    args,
    folder,
    env,
    signal,
    deadlineMs,
    stdoutMaxBytes,
    onLine,
    stdoutPath,
    feeds = [],
  } = program;
  signal.throwIfAborted();
  const subprocess = execa("sh", boundedCommand(name, args, program), {
    cwd: folder,
    env: { ...bareEnvironment(folder), ...env },
    extendEnv: false,
    stdio: ["ignore", "pipe", "pipe", ...feeds.map(() => "pipe" as const)],
    buffer: false,
    encoding: "buffer",
    reject: false,
    killDescendants: true,
    forceKillAfterDelay: termToKillMs,
    cancelSignal: signal,
    timeout: deadlineMs,
  });
  // What the leader leaves behind would keep running, and keep open the pipes that are being waited for.
  subprocess.nodeChildProcess.once("exit", () => subprocess.kill("SIGKILL"));

  let flooded = false;
  const onFlood = () => {
    flooded = true;
    subprocess.kill("SIGKILL");
  };
  const stdout = readStdout(subprocess.stdout, {
    maxBytes: stdoutMaxBytes,
    onFlood,
    onLine,
    path: stdoutPath,
  });
  const stderr = readStderr(subprocess.stderr);

  const feedFailures: unknown[] = [];
  for (const [index, chunks] of feeds.entries()) {
    const pipe = subprocess.nodeChildProcess.stdio[firstPipe + index];
    if (!(pipe instanceof Writable)) continue;
    feedPipe(chunks, pipe).catch((error: unknown) => {
      feedFailures.push(error);
      subprocess.kill("SIGKILL");
    });
  }

  const result = await subprocess;
  signal.throwIfAborted();
  if (feedFailures.length > 0) throw feedFailures[0];
  if (subprocess.pid === undefined || notStartedCodes.has(result.exitCode)) {
    throw new Error(`${name} could not be started`, { cause: result });
  }
  return {
    outcome: flooded ? "flooded" : result.timedOut ? "deadline" : (bySignal[result.signal ?? ""] ?? "exited"),
    exitCode: result.exitCode ?? null,
    stdout: await stdout(),
    stderr: stderr(),
  };
}
