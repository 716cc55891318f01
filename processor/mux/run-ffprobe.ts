import { runProgram } from "../subprocess/run-program.ts";
import { decoderBounds, type Workshop } from "./media.ts";

const deadlineMs = 120_000;
const outputMaxBytes = 1024 * 1024;

/** Runs ffprobe on a local file, with these arguments between the common ones; it prints JSON. Settles as `runProgram` does. */
export function runFfprobe(
  path: string,
  args: readonly string[],
  { ffprobe, folder, signal }: Workshop,
): ReturnType<typeof runProgram> {
  return runProgram({
    name: ffprobe,
    args: [
      ["-hide_banner", "-v", "error", "-protocol_whitelist", "file"],
      decoderBounds,
      args,
      ["-of", "json", `file:${path}`],
    ].flat(),
    folder,
    signal,
    deadlineMs,
    stdoutMaxBytes: outputMaxBytes,
    fileMaxBytes: 0,
  });
}
