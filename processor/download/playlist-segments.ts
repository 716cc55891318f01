import { parse, setOptions, types } from "hls-parser";
import { createWholeUrl, type WholeUrl } from "../source/whole-url.ts";
import type { Segment, SegmentEncryption } from "./segment.ts";

setOptions({ strictMode: true });

/** Tags that change a playlist's meaning and are not supported here. */
const unfollowedTags = /^#(EXT-X-(DEFINE|GAP|I-FRAMES-ONLY|PART|SKIP)\b|ANVATO-SEGMENT-INFO|UPLYNK-SEGMENT)/m;
/** Tags of a master playlist. The parser takes cubic time for them: minutes for some kilobytes. */
const masterTags = /#EXT-X-(MEDIA|STREAM-INF|I-FRAME-STREAM-INF|SESSION-DATA|SESSION-KEY)\s*:/;

/**
 * What the HLS media playlist at `url` lists, in order and including initialization sections; null if it takes more
 * than fetching and decrypting, or is not such a list.
 */
export function segmentsOfPlaylist(text: string, url: string): Segment[] | null {
  if (unfollowedTags.test(text) || masterTags.test(text)) return null;
  const playlist = parseStrictly(text);
  if (playlist === null || playlist.isMasterPlaylist) return null;
  return segmentsOf(playlist.segments, url);
}

/** The fields of a segment that are used here; missing ones are null, which the parser's own types leave out. */
interface ListedSegment extends Listed {
  readonly mediaSequenceNumber: number;
  readonly duration: number;
  readonly discontinuity?: boolean;
  readonly map?: Listed | null;
  readonly key?: types.Key | null;
}

type Listed = Pick<types.Segment | types.MediaInitializationSection, "uri" | "byterange">;

function segmentsOf(listed: readonly ListedSegment[], url: string): Segment[] | null {
  const wholeUrl = createWholeUrl();
  const segments: Segment[] = [];
  let lastMap: Listed | null = null;
  for (const segment of listed) {
    const { map = null } = segment;
    const place = placeOf(segment, url, wholeUrl);
    const encryption = encryptionOf(segment, url, wholeUrl);
    const isMapEncrypted = map !== null && encryption !== null;
    if (place === null || encryption === "unknown" || isMapEncrypted) return null;
    if (map !== null && !isSameMap(map, lastMap)) {
      const placeOfMap = placeOf(map, url, wholeUrl);
      if (placeOfMap === null) return null;
      segments.push({ ...placeOfMap, encryption: null, listed: null });
    }
    lastMap = map;
    const part = { seconds: segment.duration, isContinued: segment.discontinuity !== true };
    segments.push({ ...place, encryption, listed: place.range === null ? part : null });
  }
  return segments;
}

/** Null for anything that is not a playlist by the standard: other readers are more lenient. */
function parseStrictly(text: string): types.MasterPlaylist | types.MediaPlaylist | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/** Null if it is not a place that can be requested. */
function placeOf(
  { uri, byterange }: Partial<Listed>,
  base: string,
  wholeUrl: WholeUrl,
): Pick<Segment, "url" | "range"> | null {
  const url = uri === undefined ? null : wholeUrl(uri, base);
  if (url === null) return null;
  if (byterange === undefined) return { url, range: null };
  const { offset, length } = byterange;
  const isRange = offset >= 0 && length > 0 && Number.isSafeInteger(offset + length);
  return isRange ? { url, range: { start: offset, end: offset + length } } : null;
}

function isSameMap(a: Listed, b: Listed | null): boolean {
  return (
    a.uri === b?.uri &&
    a.byterange?.offset === b.byterange?.offset &&
    a.byterange?.length === b.byterange?.length
  );
}

function encryptionOf(
  { key = null, mediaSequenceNumber }: ListedSegment,
  base: string,
  wholeUrl: WholeUrl,
): SegmentEncryption | "unknown" | null {
  if (key === null || key.method === "NONE") return null;
  const isPlain = key.format === undefined || key.format === "identity";
  if (key.method !== "AES-128" || key.uri === undefined || !isPlain) return "unknown";
  const initializationVector = key.iv === undefined ? numbered(mediaSequenceNumber) : Buffer.from(key.iv);
  const keyUrl = wholeUrl(key.uri, base);
  if (initializationVector?.length !== vectorBytes || keyUrl === null) return "unknown";
  return { keyUrl, initializationVector };
}

const vectorBytes = 16;

/**
 * The default initialization vector of an encrypted segment: its sequence number; null if that is not a valid number.
 */
function numbered(sequenceNumber: number): Buffer | null {
  if (!Number.isSafeInteger(sequenceNumber) || sequenceNumber < 0) return null;
  const vector = Buffer.alloc(vectorBytes);
  vector.writeBigUInt64BE(BigInt(sequenceNumber), 8);
  return vector;
}
