import { availableParallelism } from "node:os";

/** What a program may use; beyond that the kernel stops it, in case this process is too busy to. */
export interface ProgramBounds {
  readonly deadlineMs: number;
  /** Processor time of each of its processes. Default: every core until the deadline. */
  readonly processorMs?: number | undefined;
  /** Maximum size of any file it writes. */
  readonly fileMaxBytes: number;
  /** Address space, much of which is reserved and never touched. Default: what encoding a large picture needs. */
  readonly addressSpaceBytes?: number | undefined;
}

const defaultAddressSpaceBytes = 8 * 1024 ** 3;
const openFiles = 256;

/** The bounds by their names for `setrlimit`. */
export function resourceLimits({ deadlineMs, processorMs, fileMaxBytes, addressSpaceBytes }: ProgramBounds) {
  return {
    RLIMIT_CPU: Math.ceil((processorMs ?? deadlineMs * availableParallelism()) / 1000),
    RLIMIT_AS: addressSpaceBytes ?? defaultAddressSpaceBytes,
    RLIMIT_FSIZE: fileMaxBytes,
    RLIMIT_NOFILE: openFiles,
    RLIMIT_CORE: 0,
  };
}

/**
 * The command that starts a program with its bounds in force from the first line: a POSIX shell lowers its own limits
 * and becomes the program, passing on its arguments. If the system limits the node itself to less, the shell says so
 * and that limit stays. At the end of its processor time a program gets the signal that says so, and is killed after
 * one more second.
 */
export function boundedCommand(name: string, args: readonly string[], bounds: ProgramBounds) {
  const limits = resourceLimits(bounds);
  const script = [
    `ulimit -S -t ${limits.RLIMIT_CPU}`,
    `ulimit -H -t ${limits.RLIMIT_CPU + 1}`,
    `ulimit -v ${Math.ceil(limits.RLIMIT_AS / 1024)}`,
    `ulimit -f ${Math.ceil(limits.RLIMIT_FSIZE / 512)}`,
    `ulimit -n ${limits.RLIMIT_NOFILE}`,
    `ulimit -c ${limits.RLIMIT_CORE}`,
    `exec "$0" "$@"`,
  ].join("; ");
  return ["-c", script, name, ...args];
}

/** A shell's exit codes for a program that does not exist, or cannot be executed. */
export const notStartedCodes: ReadonlySet<number | undefined> = new Set([126, 127]);
