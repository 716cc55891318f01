import { parse, setOptions, types } from "hls-parser";
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
  readonly map?: Listed | null;
  readonly key?: types.Key | null;
}

type Listed = Pick<types.Segment | types.MediaInitializationSection, "uri" | "byterange">;

function segmentsOf(listed: readonly ListedSegment[], url: string): Segment[] | null {
  const segments: Segment[] = [];
  let lastMap: Listed | null = null;
  for (const segment of listed) {
    const { map = null } = segment;
    if (!hasPlace(segment, url) || (map !== null && !hasPlace(map, url))) return null;
    const encryption = encryptionOf(segment, url);
    const isMapEncrypted = map !== null && encryption !== null;
    if (encryption === "unknown" || isMapEncrypted) return null;
    if (map !== null && !isSameMap(map, lastMap)) segments.push({ ...placeOf(map, url), encryption: null });
    lastMap = map;
    segments.push({ ...placeOf(segment, url), encryption });
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

function hasPlace({ uri, byterange }: Partial<Listed>, base: string): boolean {
  if (uri === undefined || !URL.canParse(uri, base)) return false;
  if (byterange === undefined) return true;
  const { offset, length } = byterange;
  return offset >= 0 && length > 0 && Number.isSafeInteger(offset + length);
}

function placeOf({ uri, byterange }: Listed, base: string): Pick<Segment, "url" | "range"> {
  const url = new URL(uri, base).href;
  if (byterange === undefined) return { url, range: null };
  const { offset, length } = byterange;
  return { url, range: { start: offset, end: offset + length } };
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
): SegmentEncryption | "unknown" | null {
  if (key === null || key.method === "NONE") return null;
  const isPlain = key.format === undefined || key.format === "identity";
  if (key.method !== "AES-128" || key.uri === undefined || !isPlain) return "unknown";
  const initializationVector = key.iv === undefined ? numbered(mediaSequenceNumber) : Buffer.from(key.iv);
  if (initializationVector?.length !== vectorBytes || !URL.canParse(key.uri, base)) return "unknown";
  return { keyUrl: new URL(key.uri, base).href, initializationVector };
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
