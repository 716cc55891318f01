import type { AudioCodecName, VideoCodecName } from "../source/source.ts";

/**
 * The kinds of file that Ferry reads, by the name of their demuxer; of `mov` and `matroska` the variants that
 * players tell apart are kinds of their own. What is only a list of other files is none of them.
 */
export const demuxers = {
  mp4: "mov",
  mov: "mov",
  matroska: "matroska",
  webm: "matroska",
  mp3: "mp3",
  aac: "aac",
  ogg: "ogg",
  flac: "flac",
  wav: "wav",
  aiff: "aiff",
  caf: "caf",
  mpegts: "mpegts",
  mpeg: "mpeg",
  flv: "flv",
  avi: "avi",
  asf: "asf",
} as const;
export type FileKind = keyof typeof demuxers;

/** Above all that screens show, and within the memory that a program gets: a few bytes can describe terabytes. */
const pixelsMax = 150_000_000;
/** In front of an input: a larger picture is not decoded. */
export const decoderBounds = ["-max_pixels", String(pixelsMax)];

interface Stream {
  /** Its place in the file, from 0. */
  readonly index: number;
  /** As ffmpeg names it, such as `hevc` or `pcm_s16be`. */
  readonly codecName: string;
  /** The file's own choice among streams of its sort. */
  readonly isDefault: boolean;
  readonly bitrateBps: number | null;
  /** The stream's own where the file says so, else the file's. Null where neither is known. */
  readonly durationSeconds: number | null;
}

export interface VideoStream extends Stream {
  readonly codec: VideoCodecName;
  /** False where pictures are stored in another order than shown, and the file does not say in which they are. */
  readonly saysOrder: boolean;
  readonly width: number | null;
  readonly height: number | null;
  /** On average. */
  readonly framesPerSecond: number | null;
}

export interface AudioStream extends Stream {
  readonly codec: AudioCodecName;
  readonly channels: number | null;
  readonly rateHz: number | null;
  /** As tagged in the file. */
  readonly language: string | null;
}

/** Subtitles that are text. */
export interface SubtitleStream {
  readonly index: number;
  /** As tagged in the file. */
  readonly language: string | null;
  /** Only what is said in other languages than the film's. */
  readonly isForced: boolean;
}

/** What is in a media file. Cover art counts as nothing. */
export interface ProbedMedia {
  readonly kind: FileKind;
  /** As tagged in the file. */
  readonly title: string | null;
  /** The time of its first moment, which need not be 0. */
  readonly startSeconds: number;
  readonly durationSeconds: number | null;
  readonly bitrateBps: number | null;
  readonly video: readonly VideoStream[];
  readonly audio: readonly AudioStream[];
  readonly subtitles: readonly SubtitleStream[];
  /** It has streams of other sorts: subtitles, chapters as text, time codes. */
  readonly hasOtherStreams: boolean;
  readonly hasCover: boolean;
}

/** Where media programs run: their names or paths, and the folder of the job. */
export interface Workshop {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly folder: string;
  readonly signal: AbortSignal;
}
