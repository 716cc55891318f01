import { z } from "zod";

/** Languages of which a job's subtitles are stored at most. */
export const subtitlesMax = 100;

/** What a sidecar's key ends in behind the dot: `en.vtt` or `jpg`. A language has no dot, so no two keys coincide. */
export const sidecarSuffixSchema = z.string().regex(/^([A-Za-z0-9-]{1,35}\.vtt|jpg)$/);

/**
 * The key of a file that lies beside another: `talks/Talk.mp4` with `en.vtt` gives `talks/Talk.en.vtt`. Holds for
 * storage keys and for keys of objects.
 */
export function sidecarKey(mainKey: string, suffix: string): string {
  return `${mainKey.slice(0, mainKey.lastIndexOf("."))}.${suffix}`;
}
