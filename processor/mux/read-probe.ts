import { z } from "zod";
import { cutText } from "../../contracts/cut-text.ts";
import { titleMaxCharacters } from "../../contracts/limits.ts";
import type { AudioCodecName, VideoCodecName } from "../source/source.ts";
import {
  demuxers,
  type AudioStream,
  type FileKind,
  type ProbedMedia,
  type SubtitleStream,
  type VideoStream,
} from "./media.ts";
import { readStreamTimestamp } from "./stream-timestamp.ts";

const decimal = z.coerce.number().nonnegative().catch(Number.NaN);
/** Such as `30000/1001`; `0/0` if unknown. */
const fraction = z
  .string()
  .default("")
  .transform((text) => {
    const [over = NaN, under = NaN] = text.split("/").map(Number);
    return over > 0 && under > 0 ? over / under : null;
  });
const streamSchema = z.object({
  index: z.int(),
  codec_type: z.string().optional(),
  codec_name: z.string().default("unknown"),
  width: z.int().positive().optional().catch(undefined),
  height: z.int().positive().optional().catch(undefined),
  channels: z.int().positive().optional().catch(undefined),
  sample_rate: z.coerce.number().positive().optional().catch(undefined),
  avg_frame_rate: fraction,
  duration: decimal.optional(),
  bit_rate: decimal.optional(),
  has_b_frames: z.int().default(0),
  codec_tag_string: z.string().default(""),
  extradata_size: z.int().optional(),
  disposition: z.record(z.string(), z.number()).default({}),
  tags: z.record(z.string(), z.string()).default({}),
});
type ProbedStream = z.infer<typeof streamSchema>;

const probeSchema = z.object({
  streams: z.array(streamSchema),
  format: z.object({
    format_name: z.string(),
    start_time: z.coerce.number().catch(0).default(0),
    duration: decimal.optional(),
    bit_rate: decimal.optional(),
    tags: z.record(z.string(), z.string()).default({}),
  }),
});

/** The entries of the probe that are used here. */
export const probeEntries = [
  "format=format_name,start_time,duration,bit_rate",
  "format_tags=major_brand,title",
  "stream=index,codec_type,codec_name,width,height,avg_frame_rate,channels,sample_rate,duration,bit_rate,has_b_frames,codec_tag_string,extradata_size",
  "stream_disposition=default,attached_pic,timed_thumbnails,forced",
  "stream_tags=DURATION,BPS,language",
].join(":");

/**
 * Parses a probe's JSON. `head` is the beginning of the file, which distinguishes WebM from other Matroska and may say
 * when bare audio starts. Null for an unsupported kind of file. Throws ZodError for JSON of another shape.
 */
export function readProbe(json: string, head: Uint8Array): ProbedMedia | null {
  const { streams, format } = probeSchema.parse(JSON.parse(json));
  const kind = kindOf(format.format_name, format.tags["major_brand"], head);
  if (kind === null) return null;
  const durationSeconds = known(format.duration);
  const video = streams.filter((stream) => stream.codec_type === "video" && !isCover(stream));
  const audio = streams.filter((stream) => stream.codec_type === "audio");
  return {
    kind,
    title: cutText(format.tags["title"]?.trim() ?? "", titleMaxCharacters) || null,
    startSeconds: clockless.has(kind) ? readStreamTimestamp(head) : format.start_time,
    durationSeconds,
    bitrateBps: known(format.bit_rate),
    video: video.map((stream) => videoStream(stream, durationSeconds, kind)),
    audio: audio.map((stream) => audioStream(stream, durationSeconds)),
    subtitles: streams.filter(isTextSubtitle).map(subtitleStream),
    hasOtherStreams: streams.some(({ codec_type: type }) => type !== "video" && type !== "audio"),
    hasCover: streams.some(isCover),
  };
}

/** Bare audio has no timestamps, except in segments of a presentation. */
const clockless: ReadonlySet<FileKind> = new Set(["aac", "mp3", "ac3", "eac3"]);

function kindOf(formatName: string, majorBrand: string | undefined, head: Uint8Array): FileKind | null {
  const [demuxer] = formatName.split(",");
  if (demuxer === "mov") return majorBrand === "qt  " ? "mov" : "mp4";
  if (demuxer === "matroska") return isWebm(head) ? "webm" : "matroska";
  return demuxer !== undefined && isKind(demuxer) ? demuxer : null;
}

function isKind(demuxer: string): demuxer is FileKind {
  return Object.hasOwn(demuxers, demuxer);
}

/** EBML's DocType element with the value "webm". */
const webmDocType = Buffer.from([0x42, 0x82, 0x84, ...Buffer.from("webm")]);

function isWebm(head: Uint8Array): boolean {
  return Buffer.from(head).includes(webmDocType);
}

function isCover({ disposition }: ProbedStream): boolean {
  return disposition["attached_pic"] === 1 || disposition["timed_thumbnails"] === 1;
}

function commonOf(stream: ProbedStream, fileSeconds: number | null) {
  return {
    index: stream.index,
    codecName: stream.codec_name,
    // A probe does not tell.
    isUniform: true,
    isDefault: stream.disposition["default"] === 1,
    bitrateBps: known(stream.bit_rate) ?? known(decimal.parse(stream.tags["BPS"])),
    durationSeconds: known(stream.duration) ?? secondsOfTag(stream.tags["DURATION"]) ?? fileSeconds,
  };
}

function videoStream(stream: ProbedStream, fileSeconds: number | null, kind: FileKind): VideoStream {
  return {
    ...commonOf(stream, fileSeconds),
    codec: videoCodecNames[stream.codec_name] ?? "other",
    // AVI has no presentation times.
    saysOrder: kind !== "avi" || stream.has_b_frames === 0,
    saysParameters: stream.codec_tag_string !== "hev1" || stream.extradata_size !== bareConfigurationBytes,
    width: stream.width ?? null,
    height: stream.height ?? null,
    framesPerSecond: stream.avg_frame_rate,
  };
}

/** The description of an h265 track without any parameter set. */
const bareConfigurationBytes = 23;

function audioStream(stream: ProbedStream, fileSeconds: number | null): AudioStream {
  return {
    ...commonOf(stream, fileSeconds),
    codec: audioCodecName(stream.codec_name),
    channels: stream.channels ?? null,
    language: stream.tags["language"] ?? null,
    rateHz: stream.sample_rate ?? null,
  };
}

const textSubtitles: ReadonlySet<string> = new Set(["subrip", "ass", "ssa", "webvtt", "mov_text", "text"]);

function isTextSubtitle({ codec_type: type, codec_name: name }: ProbedStream): boolean {
  return type === "subtitle" && textSubtitles.has(name);
}

function subtitleStream({ index, disposition, tags }: ProbedStream): SubtitleStream {
  return { index, language: tags["language"] ?? null, isForced: disposition["forced"] === 1 };
}

const videoCodecNames: Readonly<Record<string, VideoCodecName>> = {
  h264: "h264",
  hevc: "h265",
  vp8: "vp8",
  vp9: "vp9",
  av1: "av1",
};
const audioCodecNames: Readonly<Record<string, AudioCodecName>> = {
  aac: "aac",
  mp3: "mp3",
  opus: "opus",
  vorbis: "vorbis",
  flac: "flac",
};

function audioCodecName(codecName: string): AudioCodecName {
  // The kinds of PCM that a WAV file can hold, in either byte order.
  if (/^pcm_(u8|alaw|mulaw|s16[bl]e|s24[bl]e|s32[bl]e|f32[bl]e|f64[bl]e)$/.test(codecName)) return "pcm";
  return audioCodecNames[codecName] ?? "other";
}

/** Matroska's own tag with a stream's duration: `00:01:02.345000000`. */
function secondsOfTag(tag: string | undefined): number | null {
  const [, hours, minutes, seconds] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(tag ?? "") ?? [];
  if (seconds === undefined) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
