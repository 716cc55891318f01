import { boxContent, boxesIn } from "./box-content.ts";
import { durationProblem } from "../../verify/expected-duration.ts";
import { avcCheck, hevcCheck, type SampleCheck } from "../sample-check.ts";

export interface SampleTrack {
  /** Null if only a decoder can tell. */
  readonly check: SampleCheck | null;
  /** Size of each sample in bytes, in track order. */
  readonly sizes: Uint32Array;
}

/** Consecutive samples of one track. */
export interface SampleChunk {
  readonly offset: number;
  readonly track: SampleTrack;
  readonly first: number;
  readonly count: number;
}

/** The samples of an mp4 according to its index. */
export interface SampleMap {
  readonly tracks: readonly SampleTrack[];
  /** In file order. */
  readonly chunks: readonly SampleChunk[];
  /** Where the last of them ends. */
  readonly endOffset: number;
  /** All tracks are here and not empty, and their samples can be told from noise. */
  readonly isFollowed: boolean;
  /** The samples of a video or audio track are shorter in total than the track says. */
  readonly isShort: boolean;
}

/**
 * Reads the index of an mp4, the content of its `moov` box. Null if the file is fragmented, or the index lists no
 * samples.
 */
export function readSampleMap(moov: Buffer): SampleMap | null {
  if (boxContent(moov, "mvex") !== null) return null;
  const all = boxesIn(moov).filter(({ type }) => type === "trak");
  const read = all.map(({ content }) => readTrack(content)).filter((track) => track !== null);
  if (read.length === 0) return null;
  const tracks = read.map(({ track }) => track);
  const chunks = read.flatMap((track) => track.chunks).sort((one, other) => one.offset - other.offset);
  return {
    tracks,
    chunks,
    endOffset: chunks.reduce((end, chunk) => Math.max(end, chunk.offset + bytesOf(chunk)), 0),
    isFollowed:
      read.length === all.length && tracks.every(({ check, sizes }) => check !== null && sizes.length > 0),
    isShort: read.some((track) => track.isShort),
  };
}

/** The total size of a chunk's samples. */
export function bytesOf({ track, first, count }: SampleChunk): number {
  return track.sizes.subarray(first, first + count).reduce((sum, size) => sum + size, 0);
}

interface ReadTrack {
  readonly track: SampleTrack;
  readonly chunks: readonly SampleChunk[];
  readonly isShort: boolean;
}

/** Null if its tables cannot be read or contradict each other. */
function readTrack(trak: Buffer): ReadTrack | null {
  const table = contentAt(trak, ["mdia", "minf", "stbl"]);
  if (table === null) return null;
  const check = readCheck(boxContent(table, "stsd"));
  const sizes = readSizes(boxContent(table, "stsz"));
  const offsets = readOffsets(boxContent(table, "stco"), boxContent(table, "co64"));
  const runs = readRuns(boxContent(table, "stsc"));
  if (sizes === null || offsets === null || runs === null) return null;
  const track: SampleTrack = { check, sizes };
  const chunks: SampleChunk[] = [];
  let first = 0;
  let run = -1;
  for (const [index, offset] of offsets.entries()) {
    if (runs[run + 1]?.firstChunk === index + 1) run += 1;
    const count = runs[run]?.samples;
    if (count === undefined) return null;
    chunks.push({ offset, track, first, count });
    first += count;
  }
  return first === sizes.length ? { track, chunks, isShort: playsShort(trak, table) } : null;
}

const handlerOffset = 8;

/** Whether a video or audio track's samples are shorter in total than the track says. */
function playsShort(trak: Buffer, table: Buffer): boolean {
  const handler = contentAt(trak, ["mdia", "hdlr"])?.toString("latin1", handlerOffset, handlerOffset + 4);
  if (handler !== "vide" && handler !== "soun") return false;
  const clock = readClock(contentAt(trak, ["mdia", "mdhd"]));
  const ticks = readTicks(boxContent(table, "stts"));
  if (clock === null || clock.ticks === null || ticks === null) return false;
  const { ticksPerSecond } = clock;
  const promised = { least: clock.ticks / ticksPerSecond, most: null };
  return durationProblem(ticks / ticksPerSecond, promised) !== null;
}

/** The clock of a movie or track, from its `mvhd` or `mdhd` box. `ticks` is null if the duration is not stated. */
export function readClock(header: Buffer | null): { ticks: number | null; ticksPerSecond: number } | null {
  if (header === null) return null;
  const isLong = header[0] === 1;
  if (header.length < (isLong ? 32 : 20)) return null;
  const ticksPerSecond = header.readUInt32BE(isLong ? 20 : 12);
  const ticks = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  const isUnknown = isLong ? ticks >= 2 ** 64 - 2048 : ticks === 0xffffffff;
  return ticksPerSecond === 0 ? null : { ticks: isUnknown ? null : ticks, ticksPerSecond };
}

/** How long all samples play together. */
function readTicks(stts: Buffer | null): number | null {
  if (stts === null || stts.length < 8) return null;
  const count = stts.readUInt32BE(4);
  if (stts.length < 8 + 8 * count) return null;
  let ticks = 0;
  for (let at = 8; at < 8 + 8 * count; at += 8) ticks += stts.readUInt32BE(at) * stts.readUInt32BE(at + 4);
  return ticks;
}

/** Where the codec's configuration begins in a video sample entry. */
const videoEntryBytes = 78;
const entryOffset = 8;

/** By the sample entry's type. An entry for AAC may contain another codec. */
const simpleChecks: Readonly<Record<string, SampleCheck>> = {
  mp4a: { kind: "aac" },
  vp08: { kind: "vp8" },
  vp09: { kind: "vp9" },
  av01: { kind: "av1" },
  Opus: { kind: "opus" },
};

/** From the content of the `stsd` box; null if only a decoder can tell. */
export function readCheck(stsd: Buffer | null): SampleCheck | null {
  if (stsd === null || stsd.length < entryOffset || stsd.readUInt32BE(4) !== 1) return null;
  const [entry] = boxesIn(stsd.subarray(entryOffset));
  if (entry === undefined) return null;
  if (/^avc[13]$/.test(entry.type))
    return avcCheck(boxContent(entry.content.subarray(videoEntryBytes), "avcC"));
  if (/^h(vc|ev)1$/.test(entry.type))
    return hevcCheck(boxContent(entry.content.subarray(videoEntryBytes), "hvcC"));
  return simpleChecks[entry.type] ?? null;
}

function readSizes(stsz: Buffer | null): Uint32Array | null {
  if (stsz === null || stsz.length < 12) return null;
  const [same, count] = [stsz.readUInt32BE(4), stsz.readUInt32BE(8)];
  if (same !== 0) return null;
  if (stsz.length < 12 + 4 * count) return null;
  return Uint32Array.from({ length: count }, (_, index) => stsz.readUInt32BE(12 + 4 * index));
}

function readOffsets(stco: Buffer | null, co64: Buffer | null): number[] | null {
  const table = co64 ?? stco;
  if (table === null || table.length < 8) return null;
  const bytes = co64 === null ? 4 : 8;
  const count = table.readUInt32BE(4);
  if (table.length < 8 + bytes * count) return null;
  return Array.from({ length: count }, (_, index) =>
    bytes === 8 ? Number(table.readBigUInt64BE(8 + 8 * index)) : table.readUInt32BE(8 + 4 * index),
  );
}

function readRuns(stsc: Buffer | null): { firstChunk: number; samples: number }[] | null {
  if (stsc === null || stsc.length < 8) return null;
  const count = stsc.readUInt32BE(4);
  if (stsc.length < 8 + 12 * count) return null;
  return Array.from({ length: count }, (_, index) => ({
    firstChunk: stsc.readUInt32BE(8 + 12 * index),
    samples: stsc.readUInt32BE(12 + 12 * index),
  }));
}

/** The content of the box at this path of nested boxes; null if there is none. */
export function contentAt(content: Buffer, path: readonly string[]): Buffer | null {
  return path.reduce<Buffer | null>((box, type) => box && boxContent(box, type), content);
}
