import { z } from "zod";
import { cutText } from "../../contracts/cut-text.ts";
import { titleMaxCharacters } from "../../contracts/limits.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { Address } from "./fetch-whole.ts";
import { formatSchema, protocolOf, sourceFormat, type InfoFormat } from "./info-format.ts";
import { listedSidecars } from "./listed-sidecars.ts";
import type { Source } from "./source.ts";

const mediumSchema = z.object({
  title: z.string().nullish(),
  duration: z.number().nullish(),
  is_live: z.boolean().nullish(),
  live_status: z.string().nullish(),
  /** The downloader considers the format a media file because of its Content-Type, or because it is no web page. */
  direct: z.boolean().nullish(),
  extractor: z.string().nullish(),
  formats: z.array(formatSchema).nullish(),
  /** Formats that belong together, from an extractor that chooses by itself. */
  requested_formats: z.array(formatSchema).nullish(),
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
  const { is_live, live_status, duration } = mediumSchema.parse(medium);
  if ((is_live ?? live_status ?? duration ?? null) !== null) return null;
  const format = formatsOf(medium).findLast(
    (one) => protocolOf(one) !== null && manifestOf(one) && !one.cookies,
  );
  const url = format && manifestOf(format);
  return url ? { url, headers: format.http_headers ?? {} } : null;
}

/** The formats that it offers; if it lists none, it is one itself. */
function formatsOf(medium: unknown): InfoFormat[] {
  const { formats, requested_formats } = mediumSchema.parse(medium);
  const listed = [formats, requested_formats].find((list) => list?.length);
  if (listed) return listed;
  const itself = formatSchema.safeParse(medium);
  return itself.success && itself.data.url ? [itself.data] : [];
}

/**
 * The file that the description leads to, if the downloader has only guessed that it is media; null otherwise, and if
 * there is none that can be fetched.
 */
export function guessedFile(medium: unknown): Address | null {
  const { direct } = mediumSchema.parse(medium);
  const format = formatsOf(medium).find((one) => protocolOf(one) !== null);
  return direct === true && format?.url ? { url: format.url, headers: format.http_headers ?? {} } : null;
}

function manifestOf({ protocol, url, manifest_url }: InfoFormat): string | null | undefined {
  return protocol?.startsWith("m3u8") ? url : manifest_url;
}

/** The HLS master playlist, if it has several audio renditions and the description prefers none; null otherwise. */
export function undecidedAudio(medium: unknown): Address | null {
  const [first, ...others] = formatsOf(medium).filter(
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
  const offered = formatsOf(medium);
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
