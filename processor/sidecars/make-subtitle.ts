import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseApart } from "../parsing/parse-apart.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { SubtitleFile } from "./parse-subtitle-file.ts";
import { localInput, makeFile } from "./run-ffmpeg.ts";
import type { SidecarContext } from "./sidecar-context.ts";
import { writeSmallFile } from "./write-small-file.ts";

/**
 * Reads the files of a track, in order: JSON of a list of `WebVtt`, which nothing in the node's own thread looks into.
 * Rejects with JobFailure, `invalid_media` for content of an unknown kind.
 */
export async function readSubtitles(files: readonly Buffer[], context: SidecarContext): Promise<string> {
  const segments: string[] = [];
  for (const file of await parseApart("subtitleFiles", files, context.signal)) {
    segments.push(file.kind === "read" ? file.segment : await convert(file, context));
  }
  return `[${segments.join(",")}]`;
}

async function convert(
  file: Exclude<SubtitleFile, { kind: "read" }>,
  context: SidecarContext,
): Promise<string> {
  const unknown = new JobFailure("invalid_media", "the subtitles are of an unknown kind");
  if (file.kind === "unknown") throw unknown;
  const name = join(context.folder, `subtitle-${randomUUID()}`);
  await writeSmallFile(`${name}.${file.demuxer}`, file.text, context);
  await makeFile(
    [...localInput(file.demuxer, `${name}.${file.demuxer}`), "-f", "webvtt"],
    `${name}.vtt`,
    context,
  );
  const [converted] = await parseApart("subtitleFiles", [await readFile(`${name}.vtt`)], context.signal);
  if (converted?.kind !== "read") throw unknown;
  return converted.segment;
}
