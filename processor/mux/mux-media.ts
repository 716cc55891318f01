import { defaultLimits } from "../../contracts/limits.ts";
import { JobFailure } from "../pipeline/job.ts";
import { runProgram } from "../subprocess/run-program.ts";
import { ffmpegArguments, type MuxInput } from "./ffmpeg-arguments.ts";
import { secondsOfProgress } from "./ffmpeg-progress.ts";
import type { Workshop } from "./media.ts";
import type { OutputPlan } from "./plan-output.ts";

export interface Mux {
  readonly inputs: readonly MuxInput[];
  readonly plan: OutputPlan;
  readonly outputPath: string;
  /** A larger output is `too_large`. */
  readonly outputMaxBytes: number;
  /** Bytes to reserve for the index of an mp4, see `ffmpegArguments`. */
  readonly indexRoom?: number | null;
  /** What the program reads from its pipes 3, 4 and so on. */
  readonly feeds?: readonly AsyncIterable<Buffer>[];
  /** Called with the seconds of media written so far, about twice a second. */
  readonly onSeconds: (seconds: number) => void;
}

/** The progress lines of six hours are far below this. */
const progressMaxBytes = 64 * 1024 * 1024;

/**
 * Makes the planned file. Rejects with JobFailure `invalid_media` if the media cannot be read or decoded within the
 * memory that the program gets; a full disk is an Error of its own.
 */
export async function muxMedia(
  { inputs, plan, outputPath, outputMaxBytes, indexRoom, feeds, onSeconds }: Mux,
  workshop: Workshop,
): Promise<void> {
  const { outcome, exitCode, stderr } = await runProgram({
    name: workshop.ffmpeg,
    args: ffmpegArguments(inputs, plan, outputPath, indexRoom),
    feeds,
    folder: workshop.folder,
    signal: workshop.signal,
    deadlineMs: defaultLimits.jobTimeMs,
    stdoutMaxBytes: progressMaxBytes,
    fileMaxBytes: outputMaxBytes,
    onLine(line) {
      const seconds = secondsOfProgress(line);
      if (seconds !== null) onSeconds(seconds);
    },
  });
  if (outcome === "deadline") throw new JobFailure("time_limit");
  if (outcome === "oversized") throw new JobFailure("too_large");
  if (exitCode === 0 && outcome === "exited") return;
  if (/No space left on device/.test(stderr)) throw new Error(`muxing failed: ${stderr}`);
  throw new JobFailure("invalid_media", null, { cause: new Error(stderr) });
}
