import { z } from "zod";
import { hasField, referenceOf } from "./listed-fragment.ts";
import type { AudioCodecName, SourceFormat, VideoCodecName } from "./source.ts";

const text = z.string().nullish();
const number = z.number().nullish();

/** One of the formats in the downloader's JSON. */
export const formatSchema = z.object({
  format_id: z.string(),
  url: text,
  manifest_url: text,
  protocol: text,
  vcodec: text,
  acodec: text,
  width: number,
  height: number,
  abr: number,
  tbr: number,
  filesize: number,
  filesize_approx: number,
  language_preference: number,
  has_drm: z.union([z.boolean(), z.string()]).nullish(),
  cookies: text,
  /** There can be a million, so they are read one field at a time, without a schema. */
  fragments: z.array(z.unknown()).nullish(),
  fragment_base_url: text,
  /** A query string that the downloader adds to each segment's URL. */
  extra_param_to_segment_url: text,
  extra_param_to_key_url: text,
  hls_aes: z.unknown().optional(),
  /** The playlist itself, instead of what is at the URL. */
  hls_media_playlist_data: text,
  /** The body of a POST. */
  request_data: z.unknown().optional(),
  http_headers: z.record(z.string(), z.string()).nullish(),
  downloader_options: z.looseObject({ http_chunk_size: number }).nullish(),
});
export type InfoFormat = z.infer<typeof formatSchema>;

/** Empty if the format has neither audio nor video, is DRM-protected, or needs a protocol without address checks. */
export function sourceFormat(format: InfoFormat): SourceFormat[] {
  const protocol = protocolOf(format);
  const videoCodec = codecOf(format.vcodec, videoCodecNames);
  const audioCodec = codecOf(format.acodec, audioCodecNames);
  if (format.has_drm === true || protocol === null || !format.url) return [];
  if (videoCodec === null && audioCodec === null) return [];
  const audioKbps = format.abr || (videoCodec === null ? format.tbr : null);
  return [
    {
      id: format.format_id,
      url: format.url,
      protocol,
      fragments: protocol === "fragments" ? fragmentsOf(format) : [],
      fragmentBase: format.fragment_base_url ?? null,
      listedSeconds: protocol === "fragments" ? listedSecondsOf(format) : null,
      headers: format.http_headers ?? {},
      rangeBytes: format.downloader_options?.http_chunk_size ?? null,
      videoCodec,
      audioCodec,
      width: format.width ?? null,
      height: format.height ?? null,
      audioBitrateBps: audioKbps ? Math.round(audioKbps * 1000) : null,
      languagePreference: format.language_preference ?? 0,
      bytes: format.filesize ?? format.filesize_approx ?? null,
    },
  ];
}

/**
 * How to download it; null: not at all. Formats that need cookies, extra parameters, keys, or more than a GET of a URL
 * are left to the downloader, which knows what belongs where.
 */
export function protocolOf(format: InfoFormat): SourceFormat["protocol"] | null {
  const ours = ownProtocolOf(format);
  const isDownloaders =
    format.cookies ||
    format.extra_param_to_segment_url ||
    format.extra_param_to_key_url ||
    format.hls_aes ||
    format.hls_media_playlist_data ||
    format.request_data;
  return ours !== null && isDownloaders ? "program" : ours;
}

/** What the downloader fetches by itself, with requests that pass the filtering proxy. */
const downloadersProtocols: ReadonlySet<string> = new Set([
  "http_dash_segments_generator",
  "ism",
  "f4m",
  "bunnycdn",
  "soopvod",
]);

function ownProtocolOf(format: InfoFormat): SourceFormat["protocol"] | null {
  const { protocol } = format;
  if (protocol === "http" || protocol === "https") return "file";
  if (protocol === "m3u8" || protocol === "m3u8_native") return "playlist";
  if (protocol === "http_dash_segments") return fragmentsOf(format).length > 0 ? "fragments" : "program";
  return downloadersProtocols.has(protocol ?? "") ? "program" : null;
}

/** Empty if the description does not list them, or lists some without a URL. */
function fragmentsOf({ fragments, fragment_base_url: base }: InfoFormat): string[] {
  const references = (fragments ?? []).map(referenceOf);
  const [first] = references;
  const canBeResolved = first !== undefined && URL.canParse(first, base ?? undefined);
  return canBeResolved && !references.includes("") ? references : [];
}

const videoCodecNames: readonly (readonly [RegExp, VideoCodecName])[] = [
  [/^(avc|h\.?264|x264)/i, "h264"],
  [/^(hvc|hev|h\.?265|x265)/i, "h265"],
  [/^vp0?8/i, "vp8"],
  [/^vp0?9/i, "vp9"],
  [/^av0?1/i, "av1"],
];
const audioCodecNames: readonly (readonly [RegExp, AudioCodecName])[] = [
  [/^(mp3|mp4a\.(69|6b|40\.34))/i, "mp3"],
  [/^(mp4a|aac)/i, "aac"],
  [/^opus/i, "opus"],
  [/^vorbis/i, "vorbis"],
  [/^flac/i, "flac"],
  [/^(pcm|lpcm|sowt|twos)/i, "pcm"],
];

/**
 * The least the fragments can add up to: if all state the same duration, the last one may be shorter. The first may be
 * an initialization segment without a duration.
 */
function listedSecondsOf({ fragments }: InfoFormat): number | null {
  const [first, ...others] = (fragments ?? []).map(secondsOf);
  const told = [first ?? 0, ...others].filter((seconds) => seconds !== null);
  const sum = told.reduce((all, seconds) => all + seconds, 0);
  const longest = told.reduce((most, seconds) => Math.max(most, seconds), 0);
  return told.length === others.length + 1 && sum > 0 ? sum - longest : null;
}

function secondsOf(fragment: unknown): number | null {
  return hasField(fragment, "duration") && typeof fragment.duration === "number" ? fragment.duration : null;
}

function codecOf<C extends string>(
  named: string | null | undefined,
  names: readonly (readonly [RegExp, C])[],
): C | "other" | "unknown" | null {
  if (!named) return "unknown";
  if (named === "none") return null;
  return names.find(([pattern]) => pattern.test(named))?.[1] ?? "other";
}
