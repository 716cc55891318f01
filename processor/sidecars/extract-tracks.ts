import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { demuxers } from "../mux/media.ts";
import { JobFailure } from "../pipeline/job.ts";
import { subtitleMaxBytes } from "./fetch-listed.ts";
import type { StreamOfFile } from "./plan-sidecars.ts";
import { localInput, runFfmpeg } from "./run-ffmpeg.ts";
import type { SidecarContext } from "./sidecar-context.ts";

/** Extracts one subtitle track from a media file, as WebVTT. Rejects with JobFailure. */
export async function extractTrack(
  path: string,
  { input, kind, index }: StreamOfFile,
  context: SidecarContext,
): Promise<Buffer> {
  const trackPath = join(context.folder, `track-${input}-${index}.vtt`);
  const track = ["-map", `0:${index}`, "-fs", String(subtitleMaxBytes + 1), "-f", "webvtt"];
  const { bytes } = await runFfmpeg([...localInput(demuxers[kind], path), ...track], trackPath, context);
  if (bytes > subtitleMaxBytes) throw new JobFailure("too_large");
  return readFile(trackPath);
}
