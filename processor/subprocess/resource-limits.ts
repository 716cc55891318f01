import { availableParallelism } from "node:os";

/** What a program may use, beyond which the kernel stops it, should this process be too busy to end it. */
export interface ProgramBounds {
  readonly deadlineMs: number;
  /** No file that it writes gets longer. */
  readonly fileMaxBytes: number;
  /** Room for addresses, of which much is reserved and never touched. Without it: what a large picture's encoder needs. */
  readonly addressSpaceBytes?: number | undefined;
}

const defaultAddressSpaceBytes = 8 * 1024 ** 3;
const openFiles = 256;

/** The bounds by the names of `setrlimit`. A program may keep every core busy until its deadline. */
export function resourceLimits({ deadlineMs, fileMaxBytes, addressSpaceBytes }: ProgramBounds) {
  return {
    RLIMIT_CPU: Math.ceil(deadlineMs / 1000) * availableParallelism(),
    RLIMIT_AS: addressSpaceBytes ?? defaultAddressSpaceBytes,
    RLIMIT_FSIZE: fileMaxBytes,
    RLIMIT_NOFILE: openFiles,
    RLIMIT_CORE: 0,
  };
}

/**
 * The command that a program is started with, so that the bounds hold before its first line: a POSIX shell lowers its
 * own limits and becomes the program, whose arguments it only hands on. Where the system holds the node itself to less,
 * the shell says so and that stays.
 */
export function boundedCommand(name: string, args: readonly string[], bounds: ProgramBounds) {
  const limits = resourceLimits(bounds);
  const script = [
    `ulimit -t ${limits.RLIMIT_CPU}`,
    `ulimit -v ${Math.ceil(limits.RLIMIT_AS / 1024)}`,
    `ulimit -f ${Math.ceil(limits.RLIMIT_FSIZE / 512)}`,
    `ulimit -n ${limits.RLIMIT_NOFILE}`,
    `ulimit -c ${limits.RLIMIT_CORE}`,
    `exec "$0" "$@"`,
  ].join("; ");
  return ["-c", script, name, ...args];
}

/** A shell's exit codes for a program that is not there, or cannot be run. */
export const notStartedCodes: ReadonlySet<number | undefined> = new Set([126, 127]);
