import { fetchWhole } from "../source/fetch-whole.ts";
import { manifestMaxBytes } from "../source/look-at-manifest.ts";
import { readManifest } from "../source/manifest.ts";
import { liveFailure } from "../source/media-info.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { SourceContext } from "../source/source-context.ts";
import type { SourceFormat } from "../source/source.ts";
import { createWholeUrl } from "../source/whole-url.ts";
import { segmentsOfPlaylist } from "./playlist-segments.ts";
import type { Segment } from "./segment.ts";

/**
 * Six hours in segments of a fifth of a second. More cannot be media, but would be kept in memory and requested all the
 * same.
 */
const segmentsMax = 108_000;

/** The segments of a format. */
export interface SegmentList {
  /** In order. */
  readonly segments: readonly Segment[];
  /** Their minimum duration in seconds according to the list; null if it does not say. */
  readonly seconds: number | null;
  /** All but the last last as long as the whole source: the list was made by rounding up. */
  readonly mayLackLast: boolean;
}

/** The last segment of a list that was rounded up would be shorter. */
const roundedSeconds = 0.5;

/**
 * The segments of a format in order; `sourceSeconds`: how long the source is, null if unknown. Null for a format whose segments only the downloader can find or understand.
 * Rejects with JobFailure, `unsupported_url` for more segments than media can have, or with the signal's reason.
 */
export async function listSegments(
  format: SourceFormat,
  sourceSeconds: number | null,
  context: SourceContext,
): Promise<SegmentList | null> {
  if (format.protocol === "fragments") {
    limitSegments(format.fragments.length);
    const wholeUrl = createWholeUrl();
    const urls = format.fragments.map((fragment) => wholeUrl(fragment, format.fragmentBase));
    if (!urls.every((url) => url !== null)) return null;
    const segments = urls.map((url) => ({ url, range: null, encryption: null, listed: null }));
    const seconds = format.listedSeconds;
    const mayLackLast =
      seconds !== null && sourceSeconds !== null && sourceSeconds - seconds <= roundedSeconds;
    return { segments, seconds, mayLackLast };
  }
  if (format.protocol !== "playlist") return null;
  const playlist = await fetchWhole(format, manifestMaxBytes, context);
  if (playlist === null) return null;
  const text = playlist.content.toString();
  const manifest = readManifest(text);
  if (manifest?.isLive === true) throw liveFailure();
  limitSegments(text.match(/^#EXTINF:/gm)?.length ?? 0);
  const segments = segmentsOfPlaylist(text, playlist.url);
  return segments && { segments, seconds: manifest?.durationSeconds ?? null, mayLackLast: false };
}

function limitSegments(count: number): void {
  if (count > segmentsMax) throw new JobFailure("unsupported_url", "there are too many segments");
}
