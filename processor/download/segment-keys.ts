import { createDecipheriv, type Decipheriv } from "node:crypto";
import { JobFailure } from "../pipeline/job.ts";
import { fetchWhole } from "../source/fetch-whole.ts";
import type { SourceContext } from "../source/source-context.ts";
import type { Segment } from "./segment.ts";

const keyBytes = 16;

/** The keys of segments, by their addresses. */
export type SegmentKeys = ReadonlyMap<string, Buffer>;

/** Fetches each key once. Rejects with JobFailure, or with the signal's reason. */
export async function fetchKeys(
  segments: readonly Segment[],
  headers: Readonly<Record<string, string>>,
  context: SourceContext,
): Promise<SegmentKeys> {
  const keys = new Map<string, Buffer>();
  for (const { encryption } of segments) {
    if (encryption === null || keys.has(encryption.keyUrl)) continue;
    const key = await fetchWhole({ url: encryption.keyUrl, headers }, keyBytes + 1, context);
    if (key?.content.length !== keyBytes) throw new JobFailure("invalid_media", "a segment's key is none");
    keys.set(encryption.keyUrl, key.content);
  }
  return keys;
}

/** What makes a segment readable; null for one that is. */
export function decipherOf({ encryption }: Segment, keys: SegmentKeys): Decipheriv | null {
  if (encryption === null) return null;
  const key = keys.get(encryption.keyUrl);
  if (key === undefined) throw new Error("a segment's key was not fetched");
  return createDecipheriv("aes-128-cbc", key, encryption.initializationVector);
}
