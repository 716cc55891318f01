import { stat } from "node:fs/promises";
import { decoderBounds } from "../mux/media.ts";
import { JobFailure } from "../pipeline/job.ts";
import { runProgram } from "../subprocess/run-program.ts";
import type { SidecarContext } from "./sidecar-context.ts";

const deadlineMs = 120_000;
const outputMaxBytes = 64 * 1024;
/** A picture with the maximum number of pixels takes less. */
const fileMaxBytes = 128 * 1024 * 1024;

/**
 * Makes one file from local files; `args` include each input's demuxer. Rejects with JobFailure `invalid_media` if the
 * inputs cannot be read or there is no output, and like `take`.
 */
export async function makeFile(
  args: readonly string[],
  outputPath: string,
  context: SidecarContext,
): Promise<{ readonly bytes: number }> {
  await runFfmpeg([...args, `file:${outputPath}`], context);
  return countMade(outputPath, context);
}

/**
 * Runs ffmpeg on local files when one of the node's places for this is free; `args` include the outputs. Rejects with
 * JobFailure `invalid_media` if it fails.
 */
export async function runFfmpeg(
  args: readonly string[],
  { ffmpeg, folder, signal, sidecarPrograms }: SidecarContext,
): Promise<void> {
  const { outcome, exitCode, stderr } = await sidecarPrograms.within(signal, () =>
    runProgram({
      name: ffmpeg,
      args: ["-nostdin", "-hide_banner", "-loglevel", "error", "-y", ...args],
      folder,
      signal,
      deadlineMs,
      stdoutMaxBytes: outputMaxBytes,
      fileMaxBytes,
    }),
  );
  if (outcome !== "exited" || exitCode !== 0)
    throw new JobFailure("invalid_media", null, { cause: new Error(stderr) });
}

/** Charges an output, which is small, to the job's disk account. Rejects with JobFailure `invalid_media` if there is none. */
export async function countMade(
  path: string,
  { signal, disk }: SidecarContext,
): Promise<{ readonly bytes: number }> {
  // Nothing is written for a moment after the last picture.
  const made = await stat(path).catch((error: unknown) => {
    throw new JobFailure("invalid_media", "ffmpeg wrote no output", { cause: error });
  });
  await disk.take(made.size, signal);
  return { bytes: made.size };
}

/** A local file as an input, read only with this demuxer. */
export function localInput(demuxer: string, path: string): string[] {
  return [...decoderBounds, "-protocol_whitelist", "file", "-f", demuxer, "-i", `file:${path}`];
}
