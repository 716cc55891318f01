import { tmpdir } from "node:os";
import { runProgram } from "../subprocess/run-program.ts";

const deadlineMs = 60_000;

/** The version ffmpeg reports; `unknown` if it reports none. Rejects if it cannot be started. */
export async function readFfmpegVersion(program: string): Promise<string> {
  const { stdout } = await runProgram({
    name: program,
    args: ["-version"],
    folder: tmpdir(),
    signal: new AbortController().signal,
    deadlineMs,
    stdoutMaxBytes: 64 * 1024,
    fileMaxBytes: 0,
  });
  return /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? "unknown";
}
