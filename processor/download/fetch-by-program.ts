import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { JobFailure } from "../pipeline/job.ts";
import { fetchingArguments, progressMark } from "../source/downloader-arguments.ts";
import { SourceBusy, SourceDown } from "../network/network-failure.ts";
import { createRetries } from "../network/retries.ts";
import { createSourcePace } from "../network/source-pace.ts";
import { failureOfComplaints } from "../source/downloader-failure.ts";
import type { Source, SourceFormat } from "../source/source.ts";
import type { DownloadedFile, FileDownload } from "./download.ts";

/** Not reached: the job's own time limit ends it earlier. */
const deadlineMs = 24 * 60 * 60 * 1000;
/** Progress lines, which are not kept. */
const stdoutMaxBytes = 1024 * 1024 * 1024;

/**
 * Downloads one format through yt-dlp, which repeats requests by itself, and from the beginning while its source asks for
 * a pause. The file is charged to the job's disk account; whoever deletes it has to release it.
 */
export async function fetchByProgram(
  format: SourceFormat,
  source: Source,
  download: FileDownload,
): Promise<DownloadedFile> {
  const { network, signal, folder, fileName, disk } = download;
  const retries = createRetries(signal, network.patience);
  for (;;) {
    let charged = 0;
    const charging = {
      ...disk,
      takeNow(bytes: number) {
        disk.takeNow(bytes);
        charged += bytes;
      },
    };
    try {
      return await fetchOnce(format, source, { ...download, disk: charging });
    } catch (error) {
      if (!(error instanceof SourceBusy || error instanceof SourceDown)) throw error;
      await retries.next(error);
      await rm(join(folder, fileName), { force: true });
      disk.give(charged);
    }
  }
}

async function fetchOnce(
  format: SourceFormat,
  { infoPath }: Source,
  { network, downloader, folder, fileName, signal, limits, disk, onBytes }: FileDownload,
): Promise<DownloadedFile> {
  if (infoPath === null) throw new Error("a source of segments has no description");
  const { source_silence_ms: silenceMs, source_file_bytes: maxBytes } = limits;
  // The program watches each connection, and pauses between them, which nobody sees.
  const stillMs = silenceMs + network.patience.withinMs;
  const supervision = new AbortController();
  const endSilence = () => supervision.abort(new JobFailure("connection_timeout"));
  let silence = setTimeout(endSilence, stillMs);
  const pace = createSourcePace();
  let heardMs = performance.now();
  let received = 0;
  let onDisk = 0;
  const countOnDisk = (bytes: number) => {
    if (bytes <= onDisk) return;
    disk.takeNow(bytes - onDisk);
    onDisk = bytes;
  };

  const takeLine = (line: string) => {
    const progress = readProgress(line);
    if (progress === null) return;
    if (Math.max(progress.received, progress.total ?? 0) > maxBytes) {
      supervision.abort(new JobFailure("too_large"));
    }
    if (progress.received !== received) {
      pace.came(Math.max(0, progress.received - received));
      received = progress.received;
      try {
        countOnDisk(received);
        pace.waited(performance.now() - heardMs);
      } catch (error) {
        supervision.abort(error);
      }
      heardMs = performance.now();
      clearTimeout(silence);
      silence = setTimeout(endSilence, stillMs);
    }
    onBytes(progress.received, progress.total);
  };

  try {
    const args = fetchingArguments(
      { infoPath, formatId: format.id, fileName },
      { downloader, proxyUrl: network.proxyUrl, silenceMs },
    );
    const end = await downloader.run(args, {
      folder,
      signal: AbortSignal.any([signal, supervision.signal]),
      deadlineMs,
      stdoutMaxBytes,
      fileMaxBytes: maxBytes,
      onLine: takeLine,
    });
    if (end.exitCode !== 0) {
      const broken = new Error(`the downloader broke (exit code ${end.exitCode}): ${end.stderr}`);
      throw failureOfComplaints(end.stderr) ?? broken;
    }
  } finally {
    clearTimeout(silence);
  }
  const path = join(folder, fileName);
  const { size } = await stat(path);
  if (size === 0) throw new JobFailure("invalid_media");
  if (size > maxBytes) throw new JobFailure("too_large");
  countOnDisk(size);
  return { path, bytes: onDisk };
}

/** Null for any other line. An estimate of the total is a fractional number. */
export function readProgress(line: string): { received: number; total: number | null } | null {
  if (!line.startsWith(progressMark)) return null;
  const [received = NaN, total = NaN, estimate = NaN] = line
    .slice(progressMark.length)
    .split(" ")
    .map(Number);
  if (Number.isNaN(received)) return null;
  if (!Number.isNaN(total)) return { received, total };
  return { received, total: Number.isNaN(estimate) ? null : Math.round(estimate) };
}
