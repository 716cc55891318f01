import { tmpdir } from "node:os";
import { runProgram, type Program, type ProgramEnd } from "../subprocess/run-program.ts";
import {
  runtimeAddressSpaceBytes,
  runtimeEnvironment,
  runtimeFlags,
  runtimeName,
} from "./javascript-runtime/javascript-runtime.ts";
import { sealedCommand, unsealedMark } from "./sealed-program/sealed-command.ts";

export type DownloaderRun = Pick<
  Program,
  | "folder"
  | "signal"
  | "deadlineMs"
  | "processorMs"
  | "stdoutMaxBytes"
  | "stdoutPath"
  | "fileMaxBytes"
  | "onLine"
>;

/** For finding out what is at an address: many times what the longest pages take. */
export const lookBounds = { deadlineMs: 180_000, processorMs: 60_000 } as const;

/** Several times what it needs for the longest descriptions, and little enough for a node to run several at once. */
const addressSpaceBytes = 1.5 * 1024 ** 3;

/** What every run gets besides its own folder and bounds. */
export const downloaderSurroundings = {
  env: runtimeEnvironment,
  addressSpaceBytes,
  raisedAddressSpaceBytes: runtimeAddressSpaceBytes,
} as const;

/** The downloader program, as installed on this node. */
export interface Downloader {
  /** Flags that every run starts with. */
  readonly safeFlags: readonly string[];
  /** Runs it like `runProgram`. A run may be restarted from scratch: `onLine` then gets its lines again. */
  run(args: readonly string[], run: DownloaderRun): Promise<ProgramEnd>;
}

export interface OpenedDownloader extends Downloader {
  /** Such as `node 24.21.0`; null: this version runs no scripts of pages, or only simple ones itself. */
  readonly javascriptRuntime: string | null;
  /** Whether its runs are sealed, see `sealed_program.py`. */
  readonly isSealed: boolean;
}

/** Runs it if it is ready immediately; null: it has to be started. */
export type WarmRun = (args: readonly string[], run: DownloaderRun) => Promise<ProgramEnd | null>;

/** Nothing of the machine's is read, saved or executed. */
const requiredFlags = ["--ignore-config", "--no-cache-dir", "--no-exec", "--no-playlist", "--no-colors"];
/** Known only to newer versions, which need them. */
const newerFlags = ["--no-plugin-dirs", "--no-remote-components"];

const helpDeadlineMs = 60_000;

/**
 * Finds out, once per node start, which flags the installed version knows. Its runs are warm if possible. Rejects if it
 * does not run.
 */
export async function openDownloader(program: string, runWarm: WarmRun): Promise<OpenedDownloader> {
  const { name, args: before, canBeSealed } = await sealedCommand(program);
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
  const flags = safeFlags(end.stdout);
  return {
    safeFlags: flags,
    javascriptRuntime: flags.includes("--js-runtimes") ? runtimeName : null,
    isSealed: canBeSealed && !end.stderr.includes(unsealedMark),
    run: async (args, run) =>
      (await runWarm(args, run)) ??
      runProgram({
        name,
        args: [...before, ...args],
        ...run,
        ...downloaderSurroundings,
      }),
  };
}

/** The flags for every run, given the program's help text: newer ones only if it knows them. */
export function safeFlags(help: string): string[] {
  const knownFlags = new Set(help.match(/--[a-z][a-z-]*/g));
  return [
    ...requiredFlags,
    ...newerFlags.filter((flag) => knownFlags.has(flag)),
    ...(knownFlags.has("--js-runtimes") ? runtimeFlags : []),
  ];
}
