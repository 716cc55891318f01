import { boxContent, boxesIn } from "./box-content.ts";

/** How what a track holds can be told from noise without decoding it: it has to be h264, h265 or aac. */
export type SampleCheck = { readonly kind: "nal"; readonly lengthBytes: number } | { readonly kind: "aac" };

export interface SampleTrack {
  readonly check: SampleCheck;
  /** Bytes of each sample, in the order of the track. */
  readonly sizes: Uint32Array;
}

/** Samples of one track that lie one behind the other. */
export interface SampleChunk {
  readonly offset: number;
  readonly track: SampleTrack;
  readonly first: number;
  readonly count: number;
}

/** The samples of an mp4 by its index. */
export interface SampleMap {
  readonly tracks: readonly SampleTrack[];
  /** In the order of the file. */
  readonly chunks: readonly SampleChunk[];
}

/**
 * Reads the index of an mp4, the content of its `moov` box. Null where it is fragmented, or has a track whose samples
 * are not of a sort that is checked here.
 */
export function readSampleMap(moov: Buffer): SampleMap | null {
  if (boxContent(moov, "mvex") !== null) return null;
  const read = boxesIn(moov)
    .filter(({ type }) => type === "trak")
    .map(({ content }) => readTrack(content));
  const tracks = read.filter((track) => track !== null);
  if (tracks.length === 0 || tracks.length < read.length) return null;
  const chunks = tracks.flatMap((track) => track.chunks).sort((one, other) => one.offset - other.offset);
  return { tracks: tracks.map(({ track }) => track), chunks };
}

interface ReadTrack {
  readonly track: SampleTrack;
  readonly chunks: readonly SampleChunk[];
}

function readTrack(trak: Buffer): ReadTrack | null {
  const table = inside(trak, ["mdia", "minf", "stbl"]);
  if (table === null) return null;
  const check = readCheck(boxContent(table, "stsd"));
  const sizes = readSizes(boxContent(table, "stsz"));
  const offsets = readOffsets(boxContent(table, "stco"), boxContent(table, "co64"));
  const runs = readRuns(boxContent(table, "stsc"));
  if (check === null || sizes === null || offsets === null || runs === null) return null;
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
  return first === sizes.length ? { track, chunks } : null;
}

/** Where the description of a picture's coding begins in its sample entry. */
const pictureEntryBytes = 78;
const entryOffset = 8;

function readCheck(stsd: Buffer | null): SampleCheck | null {
  if (stsd === null || stsd.length < entryOffset || stsd.readUInt32BE(4) !== 1) return null;
  const [entry] = boxesIn(stsd.subarray(entryOffset));
  if (entry === undefined) return null;
  if (/^avc[13]$/.test(entry.type))
    return nalCheck(boxContent(entry.content.subarray(pictureEntryBytes), "avcC"), 4);
  if (/^h(vc|ev)1$/.test(entry.type))
    return nalCheck(boxContent(entry.content.subarray(pictureEntryBytes), "hvcC"), 21);
  return entry.type === "mp4a" ? { kind: "aac" } : null;
}

function nalCheck(configuration: Buffer | null, lengthOffset: number): SampleCheck | null {
  const flags = configuration?.[lengthOffset];
  return flags === undefined ? null : { kind: "nal", lengthBytes: (flags & 3) + 1 };
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

function inside(content: Buffer, path: readonly string[]): Buffer | null {
  return path.reduce<Buffer | null>((box, type) => box && boxContent(box, type), content);
}
