import { z } from "zod";

export const formats = ["mp4", "mkv", "webm", "mov", "mp3"] as const;
export const videoCodecs = ["copy", "h264", "h265", "vp9"] as const;
export const audioCodecs = ["copy", "aac", "opus", "mp3"] as const;
export const audioBitrates = ["64k", "128k", "192k", "256k", "320k"] as const;
export const qualityPresets = ["highest", "high", "medium", "low", "lowest"] as const;
export const videoQualityRange = { min: 0, max: 51 } as const;

export type Format = (typeof formats)[number];
export type VideoCodec = (typeof videoCodecs)[number];
export type AudioCodec = (typeof audioCodecs)[number];
export type AudioBitrate = (typeof audioBitrates)[number];
export type QualityPreset = (typeof qualityPresets)[number];

/**
 * How the media is to be encoded, as the client gave it: null means "not given", which the rules for sources without
 * video and for an explicit `copy` distinguish from an explicit default.
 */
export const encodingOptionsSchema = z.object({
  format: z.enum(formats).nullable(),
  video_codec: z.enum(videoCodecs).nullable(),
  audio_codec: z.enum(audioCodecs).nullable(),
  audio_bitrate: z.enum(audioBitrates).nullable(),
  video_quality: z.int().min(videoQualityRange.min).max(videoQualityRange.max).nullable(),
  quality_preset: z.enum(qualityPresets).nullable(),
  audio_only: z.boolean(),
  download_subtitles: z.boolean(),
  download_thumbnail: z.boolean(),
});
export type EncodingOptions = z.infer<typeof encodingOptionsSchema>;

export const defaultFormat: Format = "mp4";
export const defaultAudioBitrate: AudioBitrate = "192k";
export const defaultVideoQuality = 23;

/** What each preset means: the limit on the picture's shorter side in pixels, and the CRF for re-encoding. */
export const presetMeanings = {
  highest: { shorterSideMax: null, videoQuality: 18 },
  high: { shorterSideMax: 1080, videoQuality: 20 },
  medium: { shorterSideMax: 720, videoQuality: 23 },
  low: { shorterSideMax: 480, videoQuality: 28 },
  lowest: { shorterSideMax: 360, videoQuality: 32 },
} as const satisfies Record<QualityPreset, { shorterSideMax: number | null; videoQuality: number }>;

/** The CRF for re-encoding: the given one, otherwise the preset's, otherwise 23. */
export function effectiveVideoQuality(options: EncodingOptions): number {
  if (options.video_quality !== null) return options.video_quality;
  if (options.quality_preset !== null) return presetMeanings[options.quality_preset].videoQuality;
  return defaultVideoQuality;
}

/** A combination that no source can satisfy; `value` is that of the field named `field`. */
export interface ImpossibleCombination {
  readonly field: "video_codec" | "audio_codec";
  readonly format: Format;
  readonly value: string;
}

const impossibleVideoCodecs: Partial<Record<Format, readonly VideoCodec[]>> = {
  webm: ["h264", "h265"],
  mov: ["vp9"],
  mp3: ["h264", "h265", "vp9"],
};
const impossibleAudioCodecs: Partial<Record<Format, readonly AudioCodec[]>> = {
  webm: ["aac", "mp3"],
  mov: ["opus"],
  mp3: ["aac", "opus"],
};

/** The first combination that no source can satisfy, or null. */
export function impossibleCombination(options: EncodingOptions): ImpossibleCombination | null {
  const { format, video_codec: video, audio_codec: audio } = options;
  if (format === null) return null;
  if (video !== null && impossibleVideoCodecs[format]?.includes(video)) {
    return { field: "video_codec", format, value: video };
  }
  if (audio !== null && impossibleAudioCodecs[format]?.includes(audio)) {
    return { field: "audio_codec", format, value: audio };
  }
  const isM4a = options.audio_only && (format === "mp4" || format === "mov");
  if (isM4a && (audio === "opus" || audio === "mp3")) {
    return { field: "audio_codec", format, value: audio };
  }
  return null;
}
