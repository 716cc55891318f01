import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installRelease, releaseAddress } from "../../processor/image/yt-dlp-release.ts";
import type { SystemSettings } from "./settings.ts";

interface Provision {
  /** Where the program is kept for the next start. */
  readonly folder: string;
  /** A folder's URL with the release's files. */
  readonly source: string;
  /** How long a start waits for a download. */
  readonly maxMs: number;
  /** The makers' public key, armored. Default: the one known. */
  readonly publicKey?: string;
  readonly signal: AbortSignal;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called with a line for the user if there is no recent release to be had. */
  readonly say: (line: string) => void;
}

const cacheFolder = fileURLToPath(new URL("../../node_modules/.cache/ferry-yt-dlp", import.meta.url));
const startMaxMs = 6000;
const dayMs = 24 * 60 * 60 * 1000;
/** Sites change weekly. */
const newEnoughMs = 3 * dayMs;
const retryAfterMs = 60 * 60 * 1000;

/**
 * The settings with the path of yt-dlp's newest release, unless YT_DLP_PATH is set: the machine's own is often years
 * old. If none can be had, they are returned as they are, and a line says so.
 */
export async function withNewestDownloader(
  settings: SystemSettings,
  { signal, say }: Pick<Provision, "signal" | "say">,
): Promise<SystemSettings> {
  if (settings.passedOn["YT_DLP_PATH"] !== undefined) return settings;
  const path = await provideNewestDownloader({
    folder: cacheFolder,
    source: process.env["YT_DLP_SOURCE"] || releaseAddress("latest"),
    maxMs: startMaxMs,
    signal,
    now: () => Date.now(),
    say,
  });
  return path === null ? settings : { ...settings, passedOn: { ...settings.passedOn, YT_DLP_PATH: path } };
}

/**
 * The path of yt-dlp's newest release, downloaded if the last one is older than three days; null if there is none. A
 * failure is repeated after an hour at the earliest; until then, a previous download is used. Rejects only with the
 * signal's reason.
 *
 * Written by whoever starts a system: the program is replaced as a whole, `attempted` is only a file's time. If either
 * is lost, the next start downloads again.
 */
export async function provideNewestDownloader(provision: Provision): Promise<string | null> {
  const { folder, now, say } = provision;
  const program = join(folder, "yt-dlp");
  const attempted = join(folder, "attempted");
  const [programMs, attemptedMs] = await Promise.all([changedAtMs(program), changedAtMs(attempted)]);
  if (programMs !== null && now() - programMs < newEnoughMs) return program;
  const had = programMs === null ? null : program;
  if (attemptedMs !== null && now() - attemptedMs < retryAfterMs) {
    say(fallback(had, "an attempt failed less than an hour ago"));
    return had;
  }
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(attempted, "");
    await download(program, provision);
    return program;
  } catch (error) {
    provision.signal.throwIfAborted();
    say(fallback(had, reasonOf(error, provision)));
    return had;
  }
}

async function download(program: string, { source, publicKey, maxMs, signal }: Provision): Promise<void> {
  await installRelease(program, {
    source,
    sha256: null,
    withoutGpgv: "accept",
    ...(publicKey !== undefined && { publicKey }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]),
  });
}

function fallback(had: string | null, reason: string): string {
  const used = had === null ? "this machine's own yt-dlp" : "the yt-dlp of an earlier download";
  return `Using ${used}, which may fail on some sites: no newer release could be had (${reason}).`;
}

function reasonOf(error: unknown, { maxMs }: Provision): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === "TimeoutError" ? `it took more than ${maxMs / 1000} s` : error.message;
}

async function changedAtMs(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}
