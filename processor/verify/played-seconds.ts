import { defaultLimits } from "../../contracts/limits.ts";
import { JobFailure } from "../pipeline/job.ts";
import { runProgram } from "../subprocess/run-program.ts";
import { decoderBounds, demuxers, type Workshop } from "../mux/media.ts";
import type { InputFile } from "../mux/ffmpeg-arguments.ts";
import { secondsOfProgress } from "../mux/ffmpeg-progress.ts";

const progressMaxBytes = 16 * 1024 * 1024;

/**
 * How long a file plays, found by reading it to its end without decoding. A truncated file plays shorter than it says.
 * Rejects with JobFailure `invalid_media` if it cannot be read.
 */
export async function playedSeconds({ path, kind }: InputFile, workshop: Workshop): Promise<number> {
  let seconds = 0;
  const { outcome, exitCode, stderr } = await runProgram({
    name: workshop.ffmpeg,
    args: [
      ["-nostdin", "-hide_banner", "-loglevel", "error", "-nostats", "-progress", "pipe:1"],
      decoderBounds,
      ["-protocol_whitelist", "file,pipe,fd", "-f", demuxers[kind], "-i", `file:${path}`],
      ["-map", "0:V?", "-map", "0:a?", "-c", "copy", "-f", "null", "-"],
    ].flat(),
    folder: workshop.folder,
    signal: workshop.signal,
    deadlineMs: defaultLimits.jobTimeMs,
    stdoutMaxBytes: progressMaxBytes,
    fileMaxBytes: 0,
    onLine(line) {
      seconds = secondsOfProgress(line) ?? seconds;
    },
  });
  if (outcome === "exited" && exitCode === 0) return seconds;
  throw new JobFailure("invalid_media", null, { cause: new Error(stderr) });
}
