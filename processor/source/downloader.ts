import { tmpdir } from "node:os";
import { runProgram, type Program, type ProgramEnd } from "../subprocess/run-program.ts";
import { sealedCommand } from "./sealed-program/sealed-command.ts";

export type DownloaderRun = Pick<
  Program,
  "folder" | "signal" | "deadlineMs" | "stdoutMaxBytes" | "fileMaxBytes" | "onLine"
>;

/** Several times what it needs for the longest descriptions, and little enough for a node to bear some at once. */
export const downloaderAddressSpaceBytes = 1.5 * 1024 ** 3;

/** The downloader program, as installed on this node. */
export interface Downloader {
  /** What every run of it begins with. */
  readonly safeFlags: readonly string[];
  /** Runs it as `runProgram` does. A run may be begun again from nothing: `onLine` then hears its lines again. */
  run(args: readonly string[], run: DownloaderRun): Promise<ProgramEnd>;
}

/** Runs it where it is ready at once; null: it is to be started. */
export type WarmRun = (args: readonly string[], run: DownloaderRun) => Promise<ProgramEnd | null>;

/** Nothing of the machine's is read, kept or run. */
const requiredFlags = ["--ignore-config", "--no-cache-dir", "--no-exec", "--no-playlist", "--no-colors"];
/** Known to newer versions only, which need them. */
const newerFlags = ["--no-plugin-dirs", "--no-remote-components"];

const helpDeadlineMs = 60_000;

/**
 * Finds out once, when a node starts, which flags the installed version knows. Its runs are warm where they can be.
 * Rejects when it does not run.
 */
export async function openDownloader(program: string, runWarm: WarmRun): Promise<Downloader> {
  const { name, args: before } = await sealedCommand(program);
  const end = await runProgram({
    name,
    args: [...before, "--ignore-config", "--help"],
    folder: tmpdir(),
    signal: new AbortController().signal,
    deadlineMs: helpDeadlineMs,
    stdoutMaxBytes: 1024 * 1024,
    fileMaxBytes: 0,
  });
  if (end.exitCode !== 0) throw new Error(`${program} does not run: ${end.stderr.trim()}`);
  return {
    safeFlags: safeFlags(end.stdout),
    run: async (args, run) =>
      (await runWarm(args, run)) ??
      runProgram({
        name,
        args: [...before, ...args],
        ...run,
        addressSpaceBytes: downloaderAddressSpaceBytes,
      }),
  };
}

export function safeFlags(help: string): string[] {
  const knownFlags = new Set(help.match(/--[a-z][a-z-]*/g));
  return [...requiredFlags, ...newerFlags.filter((flag) => knownFlags.has(flag))];
}
