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
  /** To which a process that it starts may raise its own address space. Default: not beyond `addressSpaceBytes`. */
  readonly raisedAddressSpaceBytes?: number | undefined;
}

/** What a process starts with, and up to what it may raise that. */
interface Limit {
  readonly soft: number;
  readonly hard: number;
}

const defaultAddressSpaceBytes = 8 * 1024 ** 3;
const openFiles = 256;

/** The bounds by their names for `setrlimit`. */
export function resourceLimits(bounds: ProgramBounds) {
  const { deadlineMs, processorMs, fileMaxBytes, addressSpaceBytes = defaultAddressSpaceBytes } = bounds;
  const processorSeconds = Math.ceil((processorMs ?? deadlineMs * availableParallelism()) / 1000);
  return {
    // One second more, so that it ends by the signal that says why.
    RLIMIT_CPU: { soft: processorSeconds, hard: processorSeconds + 1 },
    RLIMIT_AS: { soft: addressSpaceBytes, hard: bounds.raisedAddressSpaceBytes ?? addressSpaceBytes },
    RLIMIT_FSIZE: fixed(fileMaxBytes),
    RLIMIT_NOFILE: fixed(openFiles),
    RLIMIT_CORE: fixed(0),
  };
}

function fixed(value: number): Limit {
  return { soft: value, hard: value };
}

/**
 * The command that starts a program with its bounds in force from the first line: a POSIX shell lowers its own limits
 * and becomes the program, passing on its arguments. If the system limits the node itself to less, the shell says so
 * and that limit stays.
 */
export function boundedCommand(name: string, args: readonly string[], bounds: ProgramBounds) {
  const limits = resourceLimits(bounds);
  const script = [
    ...lower("t", limits.RLIMIT_CPU),
    ...lower("v", limits.RLIMIT_AS, 1024),
    ...lower("f", limits.RLIMIT_FSIZE, 512),
    ...lower("n", limits.RLIMIT_NOFILE),
    ...lower("c", limits.RLIMIT_CORE),
    `exec "$0" "$@"`,
  ].join("; ");
  return ["-c", script, name, ...args];
}

function lower(option: string, { soft, hard }: Limit, unitBytes = 1): string[] {
  const inUnits = (value: number) => Math.ceil(value / unitBytes);
  if (soft === hard) return [`ulimit -${option} ${inUnits(soft)}`];
  return [`ulimit -S -${option} ${inUnits(soft)}`, `ulimit -H -${option} ${inUnits(hard)}`];
}

/** A shell's exit codes for a program that does not exist, or cannot be executed. */
export const notStartedCodes: ReadonlySet<number | undefined> = new Set([126, 127]);
