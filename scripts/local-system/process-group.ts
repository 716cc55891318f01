import { spawn } from "node:child_process";
import { openSync, closeSync } from "node:fs";
import { endLeftoverPrograms } from "../../processor/subprocess/leftover-programs.ts";
import type { Guard } from "./guard-client.ts";
import { systemErrorCode } from "../system-error.ts";

export interface Program {
  /** For messages. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** The complete environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Where its output is appended. */
  readonly logFile: string;
  /** Contains the working directories of the programs it starts; they end with it. */
  readonly workFolder?: string;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessGroup {
  /** The leader's; undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Resolves when the program has ended and nothing of its group is left. Rejects if it cannot be started. */
  readonly ended: Promise<Exit>;
  /** Asks the program to end; until it has, it is responsible for what it started. */
  terminate(): void;
  /** Kills the whole group immediately. */
  kill(): void;
  /** Pauses the whole group. */
  halt(): void;
  /** Resumes a paused group. */
  resume(): void;
}

/**
 * Starts a program as leader of its own process group, which the guard kills should this process die. The terminal's
 * Ctrl-C does not reach it: the caller decides the order in which things stop.
 */
export function startGroup(program: Program, guard: Guard): ProcessGroup {
  const log = openSync(program.logFile, "a", 0o600);
  const child = spawn(program.file, program.args, {
    env: program.env,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  if (child.pid !== undefined) guard.watch(child.pid);
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      signalGroup(child.pid, "SIGKILL");
      if (child.pid !== undefined) guard.forget(child.pid);
      const leftovers = program.workFolder ? endLeftoverPrograms(program.workFolder) : Promise.resolve();
      leftovers.then(() => resolve({ code, signal }), reject);
    });
  });
  return {
    pid: child.pid,
    ended,
    terminate: () => void child.kill("SIGTERM"),
    kill: () => void signalGroup(child.pid, "SIGKILL"),
    halt: () => void signalGroup(child.pid, "SIGSTOP"),
    resume: () => void signalGroup(child.pid, "SIGCONT"),
  };
}

/** Sends a signal to each process of the group; false if there is none. Signal 0 only checks. */
export function signalGroup(leader: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (leader === undefined) return false;
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    if (systemErrorCode(error) === "ESRCH") return false;
    throw error;
  }
}
