import { boxContent, boxesIn } from "../containers/mp4/box-content.ts";
import { contentAt, readCheck, readClock } from "../containers/mp4/mp4-samples.ts";
import type { SampleCheck } from "../containers/sample-check.ts";

/** A longer index is not kept in memory for inspection. */
export const indexMaxBytes = 1024 * 1024;

/** A track of a fragmented mp4, as described by the index at the front. */
export interface FragmentedTrack {
  readonly id: number;
  /** The content of its `trak` box. */
  readonly trak: Buffer;
  readonly ticksPerSecond: number;
  readonly check: SampleCheck;
  readonly defaults: SampleDefaults;
  readonly edit: Edit;
}

/** For samples that state nothing else. */
export interface SampleDefaults {
  readonly ticks: number;
  readonly bytes: number;
  readonly flags: number;
}

/** Where on the movie's clock the track begins, in seconds, and at which tick of its own clock. */
export interface Edit {
  readonly delaySeconds: number;
  readonly startTick: number;
}

/**
 * Reads the index, the content of a `moov` box. Null if the mp4 is not fragmented, contains what only a decoder can
 * tell from noise, or is not simply played from its first moment to its last.
 */
export function readFragmentedTracks(moov: Buffer): readonly FragmentedTrack[] | null {
  const mvex = boxContent(moov, "mvex");
  const movieTicksPerSecond = readClock(boxContent(moov, "mvhd"))?.ticksPerSecond;
  if (mvex === null || movieTicksPerSecond === undefined) return null;
  const defaults = readDefaults(mvex);
  const tracks = boxesIn(moov)
    .filter(({ type }) => type === "trak")
    .map(({ content }) => readTrack(content, movieTicksPerSecond, defaults));
  const known = tracks.filter((track) => track !== null);
  return known.length === tracks.length && known.length > 0 ? known : null;
}

function readTrack(
  trak: Buffer,
  movieTicksPerSecond: number,
  defaultsById: ReadonlyMap<number, SampleDefaults>,
): FragmentedTrack | null {
  const id = readTrackId(boxContent(trak, "tkhd"));
  const media = readClock(contentAt(trak, ["mdia", "mdhd"]));
  const check = readCheck(contentAt(trak, ["mdia", "minf", "stbl", "stsd"]));
  const edit = readEdit(contentAt(trak, ["edts", "elst"]), movieTicksPerSecond);
  const defaults = id === null ? undefined : defaultsById.get(id);
  if (id === null || media === null || check === null || edit === null || defaults === undefined) return null;
  return { id, trak, ticksPerSecond: media.ticksPerSecond, check, defaults, edit };
}

function readTrackId(tkhd: Buffer | null): number | null {
  if (tkhd === null) return null;
  const offset = tkhd[0] === 1 ? 20 : 12;
  return tkhd.length < offset + 4 ? null : tkhd.readUInt32BE(offset);
}

const trexBytes = 24;

function readDefaults(mvex: Buffer): Map<number, SampleDefaults> {
  const all = boxesIn(mvex).filter(({ type, content }) => type === "trex" && content.length >= trexBytes);
  return new Map(
    all.map(({ content }) => [
      content.readUInt32BE(4),
      { ticks: content.readUInt32BE(12), bytes: content.readUInt32BE(16), flags: content.readUInt32BE(20) },
    ]),
  );
}

const wholeRate = 0x10000;

/** Null for anything but an initial delay followed by everything from one moment on. */
function readEdit(elst: Buffer | null, movieTicksPerSecond: number): Edit | null {
  if (elst === null) return { delaySeconds: 0, startTick: 0 };
  if (elst.length < 8) return null;
  const isLong = elst[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  const count = elst.readUInt32BE(4);
  if (count > 2 || elst.length < 8 + count * entryBytes) return null;
  let delaySeconds = 0;
  let startTick: number | null = null;
  for (let at = 8; at < 8 + count * entryBytes; at += entryBytes) {
    const ticks = isLong ? Number(elst.readBigUInt64BE(at)) : elst.readUInt32BE(at);
    const mediaTime = isLong ? Number(elst.readBigInt64BE(at + 8)) : elst.readInt32BE(at + 4);
    if (elst.readUInt32BE(at + entryBytes - 4) !== wholeRate || startTick !== null) return null;
    if (mediaTime === -1) delaySeconds += ticks / movieTicksPerSecond;
    else startTick = mediaTime;
  }
  return { delaySeconds, startTick: startTick ?? 0 };
}
