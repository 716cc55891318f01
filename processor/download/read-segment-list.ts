import { JobFailure } from "../pipeline/job.ts";
import { readManifest } from "../source/manifest.ts";
import { liveFailure } from "../source/media-info.ts";
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

/**
 * The segments of the HLS media playlist at `url`; null if it takes more than fetching and decrypting, or is not such a
 * list. Throws JobFailure `unsupported_url` for a live stream, and for more segments than media can have.
 */
export function readSegmentList(text: string, url: string): SegmentList | null {
  const manifest = readManifest(text);
  if (manifest?.isLive === true) throw liveFailure();
  limitSegments(countOf(text, "EXTINF"));
  const segments = segmentsOfPlaylist(text, url);
  return segments && { segments, seconds: manifest?.durationSeconds ?? null, mayLackLast: false };
}

/** Throws JobFailure `unsupported_url` for more segments than media can have. */
export function limitSegments(count: number): void {
  if (count > segmentsMax) throw new JobFailure("unsupported_url", "there are too many segments");
}

/** Anywhere in a line, since the parser accepts spaces before and within a tag. */
function countOf(text: string, word: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) count += 1;
  return count;
}
