import type { DownloaderRun } from "../downloader.ts";

/** Address space, not memory: much of it is reserved and never touched. */
const addressSpaceBytes = 4 * 1024 ** 3;
const openFiles = 256;

/** What the kernel holds a run to, by the names of `setrlimit`, should this process be too busy to end it. */
export function resourceLimits({
  deadlineMs,
  fileMaxBytes,
}: Pick<DownloaderRun, "deadlineMs" | "fileMaxBytes">): Readonly<Record<string, number>> {
  return {
    RLIMIT_CPU: Math.ceil(deadlineMs / 1000),
    RLIMIT_AS: addressSpaceBytes,
    RLIMIT_FSIZE: fileMaxBytes,
    RLIMIT_NOFILE: openFiles,
    RLIMIT_CORE: 0,
  };
}
