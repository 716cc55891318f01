import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { demuxers } from "../mux/media.ts";
import { JobFailure } from "../pipeline/job.ts";
import { subtitleMaxBytes } from "./fetch-listed.ts";
import type { StreamOfFile } from "./plan-sidecars.ts";
import { countMade, localInput, runFfmpeg } from "./run-ffmpeg.ts";
import type { SidecarContext } from "./sidecar-context.ts";

/** Extracts one subtitle track. Rejects with JobFailure. */
export type ExtractTrack = (track: StreamOfFile) => Promise<Buffer>;

/**
 * Extracts subtitle tracks from media files, as WebVTT. When the first track of a file is requested, one program
 * extracts all of that file's tracks in one pass. If it fails, each track is extracted on its own, so that only a broken
 * one is missing.
 */
export function openTracks(
  paths: readonly string[],
  tracks: readonly StreamOfFile[],
  context: SidecarContext,
): ExtractTrack {
  const together = new Map<number, Promise<boolean>>();

  function makeTogether(input: number): Promise<boolean> {
    const ofFile = tracks.filter((track) => track.input === input);
    const made = ofFile.length === 1 ? Promise.resolve(false) : makeTracks(ofFile).then(() => true, isBroken);
    together.set(input, made);
    return made;
  }

  function isBroken(error: unknown): boolean {
    if (error instanceof JobFailure && error.code === "invalid_media") return false;
    throw error;
  }

  async function makeTracks(ofFile: readonly StreamOfFile[]): Promise<void> {
    const [first] = ofFile;
    const path = first && paths[first.input];
    if (first === undefined || path === undefined) throw new RangeError("There is no such file");
    const outputs = ofFile.flatMap((track) => [
      ["-map", `0:${track.index}`, "-fs", String(subtitleMaxBytes + 1), "-f", "webvtt"],
      [`file:${pathOf(track)}`],
    ]);
    await runFfmpeg([...localInput(demuxers[first.kind], path), ...outputs.flat()], context);
  }

  const pathOf = ({ input, index }: StreamOfFile) => join(context.folder, `track-${input}-${index}.vtt`);

  return async (track) => {
    const areMade = await (together.get(track.input) ?? makeTogether(track.input));
    if (!areMade) await makeTracks([track]);
    const { bytes } = await countMade(pathOf(track), context);
    if (bytes > subtitleMaxBytes) throw new JobFailure("too_large");
    return readFile(pathOf(track));
  };
}
