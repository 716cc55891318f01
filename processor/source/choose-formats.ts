import { defaultFormat, presetMeanings, type EncodingOptions } from "../../contracts/encoding-options.ts";
import { heldAudioCodecs, heldVideoCodecs, type Container } from "../mux/container-codecs.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { Choice } from "./choice.ts";
import type { SourceFormat } from "./source.ts";

/**
 * The best video and the best audio that the source offers for this request: among videos of equal size, and among all
 * audio, those with the requested codec are preferred, because they can be copied. Throws `format_not_available` if only
 * audio is requested and the source has none, or if a copy of video is requested that the container cannot hold.
 */
export function chooseFormats(formats: readonly SourceFormat[], options: EncodingOptions): Choice {
  const wantsAudioOnly = options.audio_only || options.format === "mp3";
  const video = wantsAudioOnly ? null : chooseVideo(formats, options);
  const audio = chooseAudio(formats, video, options);
  if (video === null && audio === null) {
    throw new JobFailure("format_not_available", wantsAudioOnly ? "the source has no audio" : null);
  }
  return { video, audio };
}

/** How well the container takes a codec: 2 as it is, 1 perhaps (the codec is unknown), 0 only re-encoded. */
function fit<C extends string>(codec: C | "unknown" | null, held: readonly C[]): number {
  if (codec === "unknown") return 1;
  return codec !== null && held.includes(codec) ? 2 : 0;
}

/** How well a codec matches the requested one: 2 it is the same, 1 perhaps (the codec is unknown), 0 not, or none is requested. */
function match<C extends string>(codec: C | null, asked: C | "copy" | null): number {
  return asked === null || asked === "copy" ? 0 : fit(codec, [asked]);
}

function chooseVideo(formats: readonly SourceFormat[], options: EncodingOptions): SourceFormat | null {
  const all = formats.filter((format) => format.videoCodec !== null);
  const held = heldVideoCodecs(options.format ?? defaultFormat);
  const fitting = all.filter((format) => fit(format.videoCodec, held) > 0);
  const copies = options.video_codec === null || options.video_codec === "copy";
  if (all.length > 0 && fitting.length === 0 && options.video_codec === "copy") {
    throw new JobFailure("format_not_available", "the container cannot hold the source's video");
  }
  const candidates = copies && fitting.length > 0 ? fitting : all;
  const audioIsApart = formats.some((format) => format.videoCodec === null);
  return best(candidates, [
    (format) => sizeRank(shorterSide(format), options),
    (format) => match(format.videoCodec, options.video_codec),
    (format) => fit(format.videoCodec, held),
    (format) => Number((format.audioCodec === null) === audioIsApart),
  ]);
}

function chooseAudio(
  formats: readonly SourceFormat[],
  video: SourceFormat | null,
  options: EncodingOptions,
): SourceFormat | null {
  const all = formats.filter((format) => format.audioCodec !== null);
  const container = audioContainer(options, video !== null);
  const held = container === null ? null : heldAudioCodecs(container);
  const fits = (format: SourceFormat) => (held === null ? 2 : fit(format.audioCodec, held));
  const fitting = all.filter((format) => fits(format) > 0);
  const copies = options.audio_codec === null || options.audio_codec === "copy";
  return best(copies && fitting.length > 0 ? fitting : all, [
    (format) => format.languagePreference,
    // Audio that is encoded in any case had better be encoded from the best.
    (format) => (options.audio_bitrate === null ? match(format.audioCodec, options.audio_codec) : 0),
    // Audio that comes with the video often has no bitrate of its own: assumed to be as good as any.
    (format) => format.audioBitrateBps ?? (format === video ? Infinity : 0),
    fits,
    (format) => Number(format === video),
    (format) => Number(format.videoCodec === null),
  ]);
}

/** Where the audio will go; null: into the usual container of its own codec, whichever that is. */
function audioContainer(options: EncodingOptions, hasVideo: boolean): Container | null {
  if (hasVideo) return options.format ?? defaultFormat;
  if (options.audio_only && (options.format === "mp4" || options.format === "mov")) return "m4a";
  return options.format;
}

/** The picture's "p": 1080 for 1920x1080 and for 1080x1920. */
function shorterSide({ width, height }: SourceFormat): number | null {
  return width !== null && height !== null ? Math.min(width, height) : height;
}

const preferredShorterSideMax = 2160;

/**
 * Higher is better: the largest within the limit, then the smallest above it, then unknown sizes. The limit is the
 * preset's, or 2160 without a preset.
 */
function sizeRank(side: number | null, options: EncodingOptions): number {
  if (side === null) return -Infinity;
  const limit =
    options.quality_preset === null
      ? preferredShorterSideMax
      : (presetMeanings[options.quality_preset].shorterSideMax ?? Infinity);
  return side <= limit ? side : -side;
}

/** The one that ranks highest by the first rule, or if equal by the next; the last of those equal in all. */
function best(
  candidates: readonly SourceFormat[],
  rules: readonly ((format: SourceFormat) => number)[],
): SourceFormat | null {
  let chosen: SourceFormat | null = null;
  for (const candidate of candidates) {
    if (chosen === null || !isBetter(chosen, candidate, rules)) chosen = candidate;
  }
  return chosen;
}

function isBetter(
  a: SourceFormat,
  b: SourceFormat,
  rules: readonly ((format: SourceFormat) => number)[],
): boolean {
  for (const rank of rules) {
    const [rankOfA, rankOfB] = [rank(a), rank(b)];
    if (rankOfA !== rankOfB) return rankOfA > rankOfB;
  }
  return false;
}
