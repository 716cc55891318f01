import { open } from "node:fs/promises";
import { JobFailure } from "../pipeline/job.ts";
import { runProgram } from "../subprocess/run-program.ts";
import { decoderBounds, demuxers, type ProbedMedia, type Workshop } from "./media.ts";
import { probeEntries, readProbe } from "./read-probe.ts";

const deadlineMs = 120_000;
const outputMaxBytes = 1024 * 1024;
const headBytes = 1024;

/**
 * What a file contains, judging by its content alone; nothing is decoded. Rejects with JobFailure `invalid_media` if it
 * is not media.
 */
export async function probeMedia(path: string, { ffprobe, folder, signal }: Workshop): Promise<ProbedMedia> {
  const whitelist = [...new Set(Object.values(demuxers))].join(",");
  const { outcome, exitCode, stdout, stderr } = await runProgram({
    name: ffprobe,
    args: [
      ["-hide_banner", "-v", "error", "-protocol_whitelist", "file", "-format_whitelist", whitelist],
      decoderBounds,
      ["-of", "json", "-show_entries", probeEntries, `file:${path}`],
    ].flat(),
    folder,
    signal,
    deadlineMs,
    stdoutMaxBytes: outputMaxBytes,
    fileMaxBytes: 0,
  });
  if (outcome !== "exited" || exitCode !== 0) {
    throw new JobFailure("invalid_media", null, { cause: new Error(stderr) });
  }
  const media = readProbe(stdout, await readHead(path));
  if (media === null) throw new JobFailure("invalid_media", "the file is of an unknown kind");
  return media;
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
