import { z } from "zod";

/** At most this many languages of a job's subtitles are stored. */
export const subtitlesMax = 100;

/** The end of a sidecar's key, after the dot: `en.vtt` or `jpg`. Languages contain no dot, so no two keys coincide. */
export const sidecarSuffixSchema = z.string().regex(/^([A-Za-z0-9-]{1,35}\.vtt|jpg)$/);

/**
 * The key of a file stored next to another: `talks/Talk.mp4` with `en.vtt` gives `talks/Talk.en.vtt`. Works for storage
 * keys and object keys.
 */
export function sidecarKey(mainKey: string, suffix: string): string {
  return `${mainKey.slice(0, mainKey.lastIndexOf("."))}.${suffix}`;
}
