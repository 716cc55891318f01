import { decoderBounds } from "../mux/media.ts";
import { JobFailure } from "../pipeline/job.ts";
import { runProgram } from "../subprocess/run-program.ts";
import type { SidecarContext } from "./sidecar-context.ts";

const deadlineMs = 120_000;
const outputMaxBytes = 64 * 1024;
/** A picture of as many pixels as one may have takes less. */
const fileMaxBytes = 128 * 1024 * 1024;

/**
 * Runs the converter over local files alone; `args` name each input's demuxer. Rejects with JobFailure `invalid_media`
 * where it cannot read what it was given.
 */
export async function runFfmpeg(
  args: readonly string[],
  { ffmpeg, folder, signal }: SidecarContext,
): Promise<void> {
  const { outcome, exitCode, stderr } = await runProgram({
    name: ffmpeg,
    args: ["-nostdin", "-hide_banner", "-loglevel", "error", "-y", ...args],
    folder,
    signal,
    deadlineMs,
    stdoutMaxBytes: outputMaxBytes,
    fileMaxBytes,
  });
  if (outcome === "exited" && exitCode === 0) return;
  throw new JobFailure("invalid_media", null, { cause: new Error(stderr) });
}

/** A local file as an input, read by no other demuxer than this one. */
export function localInput(demuxer: string, path: string): string[] {
  return [...decoderBounds, "-protocol_whitelist", "file", "-f", demuxer, "-i", `file:${path}`];
}
