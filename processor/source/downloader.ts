import { tmpdir } from "node:os";
import { runProgram } from "../subprocess/run-program.ts";

/** The downloader program, as installed on this node. */
export interface Downloader {
  readonly program: string;
  /** What every run of it begins with. */
  readonly safeFlags: readonly string[];
}

/** Nothing of the machine's is read, kept or run. */
const requiredFlags = ["--ignore-config", "--no-cache-dir", "--no-exec", "--no-playlist", "--no-colors"];
/** Known to newer versions only, which need them. */
const newerFlags = ["--no-plugin-dirs", "--no-remote-components"];

const helpDeadlineMs = 60_000;

/** Finds out once, when a node starts, which flags the installed version knows. Rejects when it does not run. */
export async function describeDownloader(program: string): Promise<Downloader> {
  const end = await runProgram({
    name: program,
    args: ["--ignore-config", "--help"],
    folder: tmpdir(),
    signal: new AbortController().signal,
    deadlineMs: helpDeadlineMs,
    stdoutMaxBytes: 1024 * 1024,
  });
  if (end.exitCode !== 0) throw new Error(`${program} does not run: ${end.stderr.trim()}`);
  return { program, safeFlags: safeFlags(end.stdout) };
}

export function safeFlags(help: string): string[] {
  const knownFlags = new Set(help.match(/--[a-z][a-z-]*/g));
  return [...requiredFlags, ...newerFlags.filter((flag) => knownFlags.has(flag))];
}
