import type { AudioCodecName, VideoCodecName } from "../source/source.ts";

/**
 * The kinds of file that Ferry reads, with their demuxers; the variants of `mov` and `matroska` that players
 * distinguish are kinds of their own. Files that merely list other files are not among them.
 */
export const demuxers = {
  mp4: "mov",
  mov: "mov",
  matroska: "matroska",
  webm: "matroska",
  mp3: "mp3",
  aac: "aac",
  ac3: "ac3",
  eac3: "eac3",
  ogg: "ogg",
  flac: "flac",
  wav: "wav",
  w64: "w64",
  aiff: "aiff",
  caf: "caf",
  mpegts: "mpegts",
  mpeg: "mpeg",
  flv: "flv",
  avi: "avi",
  asf: "asf",
} as const;
export type FileKind = keyof typeof demuxers;

/** Larger than any screen, and within the memory that a program gets: a few bytes can describe terabytes. */
const pixelsMax = 150_000_000;
/** Input options: a larger picture is not decoded. */
export const decoderBounds = ["-max_pixels", String(pixelsMax)];

interface Stream {
  /** Its index in the file, from 0. */
  readonly index: number;
  /** As ffmpeg names it, such as `hevc` or `pcm_s16be`. */
  readonly codecName: string;
  /** False if what a decoder has to know in advance changes on the way: a copy would describe its beginning only. */
  readonly isUniform: boolean;
  /** The file's own choice among streams of its kind. */
  readonly isDefault: boolean;
  readonly bitrateBps: number | null;
  /** The stream's own if the file states it, otherwise the file's. Null if neither is known. */
  readonly durationSeconds: number | null;
}

export interface VideoStream extends Stream {
  readonly codec: VideoCodecName;
  /** False if pictures are stored in a different order than shown, and the file does not say in which. */
  readonly saysOrder: boolean;
  /** False for h265 whose parameter sets come with its pictures only, and are not in the file's description of it. */
  readonly saysParameters: boolean;
  readonly width: number | null;
  readonly height: number | null;
  /** The average. */
  readonly framesPerSecond: number | null;
}

export interface AudioStream extends Stream {
  readonly codec: AudioCodecName;
  readonly channels: number | null;
  readonly rateHz: number | null;
  /** As tagged in the file. */
  readonly language: string | null;
}

/** Text subtitles. */
export interface SubtitleStream {
  readonly index: number;
  /** As tagged in the file. */
  readonly language: string | null;
  /** Contains only translations of foreign-language passages. */
  readonly isForced: boolean;
}

/** What a media file contains. Cover art is not counted as a stream. */
export interface ProbedMedia {
  readonly kind: FileKind;
  /** As tagged in the file. */
  readonly title: string | null;
  /** The time at which it starts, which need not be 0; null if its kind has no timestamps. */
  readonly startSeconds: number | null;
  readonly durationSeconds: number | null;
  readonly bitrateBps: number | null;
  readonly video: readonly VideoStream[];
  readonly audio: readonly AudioStream[];
  readonly subtitles: readonly SubtitleStream[];
  /** It has streams of other kinds: subtitles, chapters as text, time codes. */
  readonly hasOtherStreams: boolean;
  readonly hasCover: boolean;
}

/** Where media programs run: their names or paths, and the job's folder. */
export interface Workshop {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly folder: string;
  readonly signal: AbortSignal;
}
