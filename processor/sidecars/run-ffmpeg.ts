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
 * Makes one file from local files, when one of the node's places for this is free; `args` include each input's demuxer.
 * The output, which is small, is charged to the job's disk account once it exists. Rejects with JobFailure
 * `invalid_media` if the inputs cannot be read or there is no output, and like `take`.
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
  // Nothing is written for a moment after the last picture.
  const made = await stat(outputPath).catch((error: unknown) => {
    throw new JobFailure("invalid_media", "nothing came of it", { cause: error });
  });
  await disk.take(made.size, signal);
  return { bytes: made.size };
}

/** A local file as an input, read only with this demuxer. */
export function localInput(demuxer: string, path: string): string[] {
  return [...decoderBounds, "-protocol_whitelist", "file", "-f", demuxer, "-i", `file:${path}`];
}
