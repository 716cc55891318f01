import { stat } from "node:fs/promises";
import { decoderBounds } from "../mux/media.ts";
import { JobFailure } from "../pipeline/job.ts";
import { runProgram } from "../subprocess/run-program.ts";
import type { SidecarContext } from "./sidecar-context.ts";

const deadlineMs = 120_000;
const outputMaxBytes = 64 * 1024;
/** A picture of as many pixels as one may have takes less. */
const fileMaxBytes = 128 * 1024 * 1024;

/**
 * Makes one file of local files, when one of the node's places for this is free; `args` name each input's demuxer. Its
 * bytes, which are few, are counted as the job's when they are there. Rejects with JobFailure `invalid_media` where the
 * inputs cannot be read, or nothing comes of them, and as `take` does.
 */
export async function runFfmpeg(
  args: readonly string[],
  outputPath: string,
  { ffmpeg, folder, signal, disk, sidecarPrograms }: SidecarContext,
): Promise<{ readonly bytes: number }> {
  const { outcome, exitCode, stderr } = await sidecarPrograms.within(signal, () =>
    runProgram({
      name: ffmpeg,
      args: ["-nostdin", "-hide_banner", "-loglevel", "error", "-y", ...args, `file:${outputPath}`],
      folder,
      signal,
      deadlineMs,
      stdoutMaxBytes: outputMaxBytes,
      fileMaxBytes,
    }),
  );
  if (outcome !== "exited" || exitCode !== 0)
    throw new JobFailure("invalid_media", null, { cause: new Error(stderr) });
  // Of a moment behind the last picture nothing is written.
  const made = await stat(outputPath).catch((error: unknown) => {
    throw new JobFailure("invalid_media", "nothing came of it", { cause: error });
  });
  await disk.take(made.size, signal);
  return { bytes: made.size };
}

/** A local file as an input, read by no other demuxer than this one. */
export function localInput(demuxer: string, path: string): string[] {
  return [...decoderBounds, "-protocol_whitelist", "file", "-f", demuxer, "-i", `file:${path}`];
}
