import { parseApart } from "../parsing/parse-apart.ts";
import { fetchWhole } from "../source/fetch-whole.ts";
import { manifestMaxBytes } from "../source/look-at-manifest.ts";
import type { SourceContext } from "../source/source-context.ts";
import type { SourceFormat } from "../source/source.ts";
import { createWholeUrl } from "../source/whole-url.ts";
import { limitSegments, type SegmentList } from "./read-segment-list.ts";

/** The last segment of a list that was rounded up would be shorter. */
const roundedSeconds = 0.5;

/**
 * The segments of a format in order; `sourceSeconds`: how long the source is, null if unknown. Null for a format whose
 * segments only the downloader can find or understand. Rejects with JobFailure, `unsupported_url` for more segments than media can have, or with the signal's reason.
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
  return playlist && parseApart("segmentList", playlist, context.signal);
}
