import { open } from "node:fs/promises";
import { JobFailure } from "../pipeline/job.ts";
import { demuxers, type ProbedMedia, type Workshop } from "./media.ts";
import { probeEntries, readProbe } from "./read-probe.ts";
import { runFfprobe } from "./run-ffprobe.ts";

const headBytes = 1024;

/**
 * What a file contains, judging by its content alone; nothing is decoded. Rejects with JobFailure `invalid_media` if it
 * is not media.
 */
export async function probeMedia(path: string, workshop: Workshop): Promise<ProbedMedia> {
  const whitelist = [...new Set(Object.values(demuxers))].join(",");
  const args = ["-format_whitelist", whitelist, "-show_entries", probeEntries];
  const { outcome, exitCode, stdout, stderr } = await runFfprobe(path, args, workshop);
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
