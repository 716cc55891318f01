import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { JobFailure } from "../pipeline/job.ts";
import { decodeText } from "./decode-text.ts";
import { localInput, makeFile } from "./run-ffmpeg.ts";
import type { SidecarContext } from "./sidecar-context.ts";
import { parseTtml } from "./ttml.ts";
import { joinWebVtt, parseWebVtt, printWebVtt, type WebVtt } from "./web-vtt.ts";
import { writeSmallFile } from "./write-small-file.ts";

/** Reads the files of a track, in order. Rejects with JobFailure `invalid_media` for content of an unknown kind. */
export async function readSubtitles(files: readonly Buffer[], context: SidecarContext): Promise<WebVtt[]> {
  const segments: WebVtt[] = [];
  for (const file of files) segments.push(await readSubtitle(decodeText(file), context));
  return segments;
}

/** Joins the segments of a track into one WebVTT. Throws JobFailure `invalid_media` if they contain nothing to show. */
export function oneSubtitle(segments: readonly WebVtt[], mediaStartSeconds: number): string {
  const joined = joinWebVtt(segments, mediaStartSeconds);
  if (joined.cues.length === 0) throw new JobFailure("invalid_media", "the subtitles are empty");
  return printWebVtt(joined);
}

async function readSubtitle(text: string, context: SidecarContext): Promise<WebVtt> {
  const converted = parseWebVtt(text) ?? parseTtml(text) ?? (await convert(text, context));
  if (converted === null) throw new JobFailure("invalid_media", "the subtitles are of an unknown kind");
  return converted;
}

async function convert(text: string, context: SidecarContext): Promise<WebVtt | null> {
  const demuxer = sniffDemuxer(text);
  if (demuxer === null) return null;
  const name = join(context.folder, `subtitle-${randomUUID()}`);
  await writeSmallFile(`${name}.${demuxer}`, text, context);
  await makeFile([...localInput(demuxer, `${name}.${demuxer}`), "-f", "webvtt"], `${name}.vtt`, context);
  return parseWebVtt(await readFile(`${name}.vtt`, "utf8"));
}

/** The demuxer for a subtitle text, by its beginning; null if it is not one. */
export function sniffDemuxer(text: string): "srt" | "ass" | null {
  const head = text.slice(0, 4096);
  if (/^\s*\[Script Info\]/i.test(head)) return "ass";
  return /^\s*(\d+\s*\n\s*)?\d+:\d+:\d+[,.]\d+\s*-->/.test(head.replaceAll("\r", "")) ? "srt" : null;
}
