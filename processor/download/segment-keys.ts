import { createDecipheriv, type Decipheriv } from "node:crypto";
import { JobFailure } from "../pipeline/job.ts";
import { allOrNone } from "../pipeline/all-or-none.ts";
import { withinTimeLimit } from "../pipeline/time-limit.ts";
import { fetchWhole } from "../source/fetch-whole.ts";
import type { SourceContext } from "../source/source-context.ts";
import type { Segment } from "./segment.ts";

const keyBytes = 16;

/** The keys of segments, by URL. */
export type SegmentKeys = ReadonlyMap<string, Buffer>;

/** Playlists with a key per segment have many. */
const keysAtOnce = 4;
/** For all keys of a format: several times what one for each segment of a long film takes. */
const keysMaxMs = 30 * 60_000;

/**
 * Fetches each key once, several concurrently. Rejects with JobFailure, `source_error` if they take half an hour, or with
 * the signal's reason.
 */
export async function fetchKeys(
  segments: readonly Segment[],
  headers: Readonly<Record<string, string>>,
  context: Pick<SourceContext, "network" | "signal" | "limits">,
): Promise<SegmentKeys> {
  const keys = new Map<string, Buffer>();
  const urls = new Set(segments.flatMap(({ encryption }) => encryption?.keyUrl ?? []));
  const waiting = urls.values();

  async function fetchWaiting(signal: AbortSignal): Promise<void> {
    for (const url of waiting) {
      const key = await fetchWhole({ url, headers }, keyBytes + 1, { ...context, signal });
      if (key?.content.length !== keyBytes)
        throw new JobFailure("invalid_media", "a segment's key is invalid");
      keys.set(url, key.content);
    }
  }

  await withinTimeLimit(
    keysMaxMs,
    context.signal,
    (signal) =>
      allOrNone(
        signal,
        Array.from({ length: keysAtOnce }, () => fetchWaiting),
      ),
    new JobFailure("source_error", "the keys of its segments come too slowly"),
  );
  return keys;
}

/** Decrypts a segment; null if it is not encrypted. */
export function decipherOf({ encryption }: Segment, keys: SegmentKeys): Decipheriv | null {
  if (encryption === null) return null;
  const key = keys.get(encryption.keyUrl);
  if (key === undefined) throw new Error("a segment's key was not fetched");
  return createDecipheriv("aes-128-cbc", key, encryption.initializationVector);
}
