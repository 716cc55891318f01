import { z } from "zod";
import { cutText } from "../../contracts/cut-text.ts";
import { titleMaxCharacters } from "../../contracts/limits.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { Address } from "./fetch-whole.ts";
import { hasField, referenceOf } from "./listed-fragment.ts";
import { listedSidecars } from "./listed-sidecars.ts";
import type { AudioCodecName, Source, SourceFormat, VideoCodecName } from "./source.ts";

const text = z.string().nullish();
const number = z.number().nullish();

const formatSchema = z.object({
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
  hls_aes: z.unknown().optional(),
  http_headers: z.record(z.string(), z.string()).nullish(),
  downloader_options: z.looseObject({ http_chunk_size: number }).nullish(),
});
type InfoFormat = z.infer<typeof formatSchema>;

const mediumSchema = z.object({
  title: text,
  duration: number,
  is_live: z.boolean().nullish(),
  live_status: text,
  /** The downloader considers the URL a media file because of its Content-Type. */
  direct: z.boolean().nullish(),
  extractor: text,
  formats: z.array(formatSchema).nullish(),
});

const listSchema = z.object({
  _type: z.enum(["playlist", "multi_video"]),
  entries: z.array(z.unknown()).nullish(),
});

/** The single item in the downloader's JSON. Throws JobFailure `unsupported_url` if there are none or several. */
export function onlyMedium(info: unknown): unknown {
  const list = listSchema.safeParse(info);
  if (!list.success) return info;
  const entries = (list.data.entries ?? []).filter((entry) => entry !== null);
  if (entries.length > 1)
    throw new JobFailure("unsupported_url", "there is more than one media item at this address");
  if (entries.length === 0) throw new JobFailure("unsupported_url");
  return onlyMedium(entries[0]);
}

/** The failure of a job whose source is a live stream. */
export function liveFailure(): JobFailure {
  return new JobFailure("unsupported_url", "live streams are not supported");
}

/**
 * The manifest of the best format, if the description states neither liveness nor duration, as when the job's URL is
 * itself a manifest. Null if there is no manifest or no need for one.
 */
export function undescribedManifest(medium: unknown): Address | null {
  const { is_live, live_status, duration, formats } = mediumSchema.parse(medium);
  if ((is_live ?? live_status ?? duration ?? null) !== null) return null;
  const format = formats?.findLast((one) => protocolOf(one) !== null && manifestOf(one) && !one.cookies);
  const url = format && manifestOf(format);
  return url ? { url, headers: format.http_headers ?? {} } : null;
}

function manifestOf({ protocol, url, manifest_url }: InfoFormat): string | null | undefined {
  return protocol?.startsWith("m3u8") ? url : manifest_url;
}

/** The HLS master playlist, if it has several audio renditions and the description prefers none; null otherwise. */
export function undecidedAudio(medium: unknown): Address | null {
  const { formats } = mediumSchema.parse(medium);
  const [first, ...others] = (formats ?? []).filter(
    (one) => protocolOf(one) === "playlist" && one.vcodec === "none" && one.url !== one.manifest_url,
  );
  if (!first?.manifest_url || others.length === 0) return null;
  const isUndecided = others.every(
    (other) =>
      other.manifest_url === first.manifest_url && other.language_preference === first.language_preference,
  );
  return isUndecided ? { url: first.manifest_url, headers: first.http_headers ?? {} } : null;
}

/** Throws JobFailure `unsupported_url` if it is live or nothing can be downloaded, ZodError if it is malformed. */
export function sourceOfMedium(medium: unknown): Omit<Source, "url" | "infoPath" | "firstLook"> {
  const info = mediumSchema.parse(medium);
  if (info.is_live === true || ["is_live", "is_upcoming", "post_live"].includes(info.live_status ?? "")) {
    throw liveFailure();
  }
  // The URL itself was already inspected, and it is not media.
  if (info.direct === true) throw new JobFailure("unsupported_url");
  const offered = info.formats ?? [];
  const formats = offered.flatMap(sourceFormat);
  if (formats.length === 0) {
    const isProtected = offered.some((format) => format.has_drm === true);
    throw new JobFailure("unsupported_url", isProtected ? "the media is protected" : null);
  }
  const durationSeconds = info.duration ?? null;
  return { title: titleOf(info), durationSeconds, formats, listed: listedSidecars(medium) };
}

/** The generic HTML5 extractor numbers titles even if the page has only one item. */
function titleOf({ title, extractor }: z.infer<typeof mediumSchema>): string | null {
  const own = extractor === "html5" ? title?.replace(/ \(1\)$/, "") : title;
  return cutText(own ?? "", titleMaxCharacters) || null;
}

/** Empty if the format has neither audio nor video, is DRM-protected, or needs a protocol without address checks. */
function sourceFormat(format: InfoFormat): SourceFormat[] {
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

/** Formats that need cookies, extra parameters or keys are left to the downloader, which knows where they belong. */
function protocolOf(format: InfoFormat): SourceFormat["protocol"] | null {
  const ours = ownProtocolOf(format);
  const isDownloaders = format.cookies || format.extra_param_to_segment_url || format.hls_aes;
  return ours !== null && isDownloaders ? "program" : ours;
}

function ownProtocolOf(format: InfoFormat): SourceFormat["protocol"] | null {
  const { protocol } = format;
  if (protocol === "http" || protocol === "https") return "file";
  if (protocol === "m3u8" || protocol === "m3u8_native") return "playlist";
  if (protocol === "http_dash_segments") return fragmentsOf(format).length > 0 ? "fragments" : "program";
  return protocol === "http_dash_segments_generator" || protocol === "ism" ? "program" : null;
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
