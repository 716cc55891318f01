import { ebmlIds, elementsIn, readElement } from "./ebml.ts";
import { avcCheck, hevcCheck, type SampleCheck } from "../sample-check.ts";

/** What comes before the media of a Matroska or WebM file. */
export interface MatroskaHead {
  /** All of it, up to the first cluster. */
  readonly bytes: Buffer;
  /** Where the segment ends, and with it the file. */
  readonly segmentEnd: number;
  readonly isWebm: boolean;
  readonly seconds: number;
  readonly secondsPerTick: number;
  readonly tracks: ReadonlyMap<number, MatroskaTrack>;
}

export interface MatroskaTrack {
  readonly check: SampleCheck;
}

const ids = {
  docType: 0x4282,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  contentEncodings: 0x6d80,
} as const;

const besidesMedia: ReadonlySet<number> = new Set([
  ebmlIds.seekHead,
  ebmlIds.info,
  ebmlIds.tracks,
  ebmlIds.cues,
  ebmlIds.tags,
  ebmlIds.chapters,
  ebmlIds.void,
  ebmlIds.crc32,
]);

/** Whether the element may appear in a segment without being media itself. */
export function isNonMedia(id: number): boolean {
  return besidesMedia.has(id);
}

/**
 * Reads what comes before the first cluster. Null if it is incomplete, if a writer that could not seek back left out
 * the file's size or duration, or if it contains anything but video and audio that can be told from noise without
 * decoding.
 */
export function readMatroskaHead(head: Buffer): MatroskaHead | null {
  const header = readElement(head, 0);
  if (header?.id !== ebmlIds.header || header.bytes === null) return null;
  const segmentStart = header.headerBytes + header.bytes;
  const segment = readElement(head, segmentStart);
  if (segment?.id !== ebmlIds.segment || segment.bytes === null) return null;
  const first = segmentStart + segment.headerBytes;
  const end = firstCluster(head, first);
  const parts = end === null ? null : elementsIn(head.subarray(first, end));
  const docType = contentOf(head.subarray(header.headerBytes, segmentStart), ids.docType);
  if (end === null || parts === null || docType === null) return null;

  const info = parts.find(({ id }) => id === ebmlIds.info)?.content;
  const tracks = readTracks(parts.find(({ id }) => id === ebmlIds.tracks)?.content);
  const ticks = info && readFloat(contentOf(info, ids.duration));
  if (!info || !ticks || tracks === null) return null;
  const secondsPerTick = (readUint(contentOf(info, ids.timestampScale)) ?? 1e6) / 1e9;
  return {
    bytes: Buffer.from(head.subarray(0, end)),
    segmentEnd: first + segment.bytes,
    isWebm: docType.toString("latin1") === "webm",
    seconds: ticks * secondsPerTick,
    secondsPerTick,
    tracks,
  };
}

/** Where the media begin. */
function firstCluster(head: Buffer, first: number): number | null {
  for (let at = first; ;) {
    const element = readElement(head, at);
    if (element?.id === ebmlIds.cluster) return at;
    if (element === null || element.bytes === null || !besidesMedia.has(element.id)) return null;
    at += element.headerBytes + element.bytes;
  }
}

/** By track number. Null if not all of them can be checked. */
function readTracks(tracks: Buffer | undefined): Map<number, MatroskaTrack> | null {
  const entries = tracks && elementsIn(tracks)?.filter(({ id }) => id === ids.trackEntry);
  const read = entries?.map(({ content }) => readTrack(content)) ?? [];
  const known = read.filter((track) => track !== null);
  return known.length === 0 || known.length < read.length ? null : new Map(known);
}

/** Video and audio. */
const followedTypes: ReadonlySet<number | null> = new Set([1, 2]);

function readTrack(entry: Buffer): [number, MatroskaTrack] | null {
  const number = readUint(contentOf(entry, ids.trackNumber));
  const codec = contentOf(entry, ids.codecId)?.toString("latin1") ?? "";
  const check = checkOf(codec, contentOf(entry, ids.codecPrivate));
  const isFollowed = followedTypes.has(readUint(contentOf(entry, ids.trackType)));
  // Compressed or encrypted content looks like noise.
  const isCoded = contentOf(entry, ids.contentEncodings) !== null;
  return number === null || check === null || !isFollowed || isCoded ? null : [number, { check }];
}

const simpleChecks: Readonly<Record<string, SampleCheck>> = {
  V_VP8: { kind: "vp8" },
  V_VP9: { kind: "vp9" },
  V_AV1: { kind: "av1" },
  A_AAC: { kind: "aac" },
  A_OPUS: { kind: "opus" },
  A_VORBIS: { kind: "vorbis" },
  "A_MPEG/L3": { kind: "mp3" },
};

function checkOf(codec: string, described: Buffer | null): SampleCheck | null {
  if (codec === "V_MPEG4/ISO/AVC") return avcCheck(described);
  if (codec === "V_MPEGH/ISO/HEVC") return hevcCheck(described);
  return simpleChecks[codec] ?? null;
}

function contentOf(bytes: Buffer, id: number): Buffer | null {
  return elementsIn(bytes)?.find((element) => element.id === id)?.content ?? null;
}

function readUint(content: Buffer | null): number | null {
  return content && content.length > 0 && content.length <= 6 ? content.readUIntBE(0, content.length) : null;
}

function readFloat(content: Buffer | null): number | null {
  if (content?.length === 8) return content.readDoubleBE();
  return content?.length === 4 ? content.readFloatBE() : null;
}
