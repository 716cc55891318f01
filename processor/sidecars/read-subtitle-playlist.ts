import { JobFailure } from "../pipeline/job.ts";

/** Six hours in segments of two seconds. */
export const segmentsMax = 11_000;

/**
 * The segments of an HLS media playlist; null if they are encrypted, byte ranges, incomplete, or missing. Throws
 * JobFailure `too_large` for too many, before resolving URLs that can be a thousand times longer than their lines.
 */
export function readSubtitlePlaylist(text: string, base: string): string[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (!/^\uFEFF?#EXTM3U/.test(lines[0] ?? "")) return null;
  if (lines.some((line) => /^#EXT-X-(STREAM-INF|BYTERANGE|KEY:(?!METHOD=NONE)|MAP)/.test(line))) return null;
  if (!lines.some((line) => /^#EXT-X-(ENDLIST|PLAYLIST-TYPE:VOD)$/.test(line))) return null;
  const references = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (references.length > segmentsMax) throw new JobFailure("too_large");
  if (references.length === 0 || !references.every((one) => URL.canParse(one, base))) return null;
  return references.map((reference) => new URL(reference, base).href);
}
