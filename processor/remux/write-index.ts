import { Doubtful } from "../direct/doubtful.ts";
import { boxContent, boxesIn } from "../containers/mp4/box-content.ts";
import { hasParameterSets } from "../containers/mp4/parameter-sets.ts";
import { contentAt } from "../containers/mp4/mp4-samples.ts";
import type { SampleTables } from "./sample-tables.ts";
import { startsOf, type TrackStart } from "./track-starts.ts";

/** Ticks per second of the movie's own clock. */
const movieTicksPerSecond = 1000;

/**
 * The index of an unfragmented mp4 made from the tracks of these files: its `moov` box. The tables' offsets are those of
 * the new file. Throws Doubtful if they
 * cannot be expressed.
 */
export function writeIndex(files: readonly (readonly SampleTables[])[], userData: Buffer | null): Buffer {
  const tracks = files.flat();
  const starts = startsOf(files).flat();
  const placed = tracks.map((tables, index) => {
    const { delaySeconds, startTick } = starts[index] ?? { delaySeconds: 0, startTick: 0 };
    const shownTicks = tables.shownEndTick - tables.startTick - startTick;
    const shownSeconds = shownTicks / tables.track.ticksPerSecond;
    return { tables, start: { delaySeconds, startTick }, shown: movieTicks(shownSeconds) };
  });
  const longest = Math.max(...placed.map(({ start, shown }) => movieTicks(start.delaySeconds) + shown));
  return box("moov", [
    box("mvhd", [movieHeader(longest, tracks.length + 1)]),
    ...placed.map(({ tables, start, shown }, index) => trackBox(tables, start, shown, index + 1)),
    ...(userData === null ? [] : [box("udta", [userData])]),
  ]);
}

function movieTicks(seconds: number): number {
  return Math.round(seconds * movieTicksPerSecond);
}

/** A box with these consecutive contents. */
export function box(type: string, contents: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(contents.reduce((sum, { length }) => sum + length, header.length));
  header.write(type, 4, "latin1");
  return Buffer.concat([header, ...contents]);
}

/** Shown as it is: neither rotated nor shifted. */
const unmoved = words([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]);

function movieHeader(duration: number, nextTrackId: number): Buffer {
  const volume = Buffer.from([0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const head = words([0, 0, 0, movieTicksPerSecond, duration]);
  return Buffer.concat([head, volume, unmoved, words([0, 0, 0, 0, 0, 0, nextTrackId])]);
}

function trackBox(tables: SampleTables, start: TrackStart, shown: number, id: number): Buffer {
  const { trak } = tables.track;
  const duration = movieTicks(start.delaySeconds) + shown;
  return box("trak", [
    box("tkhd", [trackHeader(boxContent(trak, "tkhd") ?? Buffer.alloc(0), duration, id)]),
    ...editBox(start, shown),
    box("mdia", [
      box("mdhd", [mediaHeader(contentAt(trak, ["mdia", "mdhd"]) ?? Buffer.alloc(0), tables)]),
      ...copied(contentAt(trak, ["mdia"]), ["hdlr"]),
      box("minf", [
        ...copied(contentAt(trak, ["mdia", "minf"]), ["vmhd", "smhd", "nmhd", "dinf"]),
        sampleTable(tables),
      ]),
    ]),
  ]);
}

function copied(content: Buffer | null, types: readonly string[]): Buffer[] {
  return boxesIn(content ?? Buffer.alloc(0))
    .filter(({ type }) => types.includes(type))
    .map(({ type, content: own }) => box(type, [own]));
}

/** Enabled, and part of the movie. */
const trackFlags = 3;
/** Layer, group, volume, transformation and size: the same in the short and the long form. */
const looksBytes = 52;

function trackHeader(of: Buffer, duration: number, id: number): Buffer {
  return Buffer.concat([words([trackFlags, 0, 0, id, 0, duration, 0, 0]), of.subarray(-looksBytes)]);
}

function editBox({ delaySeconds, startTick }: TrackStart, shown: number): Buffer[] {
  const delay = movieTicks(delaySeconds);
  const wait = delay > 0 ? [[delay, 0xffffffff, 0x10000]] : [];
  if (wait.length === 0 && startTick === 0) return [];
  const entries = [...wait, [shown, startTick, 0x10000]];
  return [box("edts", [box("elst", [words([0, entries.length, ...entries.flat()])])])];
}

const languageBytes = 4;

function mediaHeader(of: Buffer, { track, allTicks }: SampleTables): Buffer {
  const language = of.subarray(-languageBytes);
  const [high, low] = [Math.floor(allTicks / 2 ** 32), allTicks % 2 ** 32];
  const times =
    high === 0
      ? words([0, 0, 0, track.ticksPerSecond, low])
      : words([0x1000000, 0, 0, 0, 0, track.ticksPerSecond, high, low]);
  return Buffer.concat([times, language]);
}

function sampleTable({ track, bytes, ticks, shifts, syncs, chunks }: SampleTables): Buffer {
  const isShifted = shifts.some(({ value }) => value !== 0);
  const isShiftedBack = shifts.some(({ value }) => value < 0);
  const stretches = (all: typeof ticks) => all.flatMap(({ count, value }) => [count, value >>> 0]);
  const runs = chunks.flatMap(({ samples }, index) =>
    samples === chunks[index - 1]?.samples ? [] : [[index + 1, samples, 1]],
  );
  const isLong = chunks.some(({ offset }) => offset > 0xffffffff);
  const places = chunks.flatMap(({ offset }) =>
    isLong ? [Math.floor(offset / 2 ** 32), offset % 2 ** 32] : [offset],
  );
  const description = contentAt(track.trak, ["mdia", "minf", "stbl", "stsd"]) ?? Buffer.alloc(0);
  return box("stbl", [
    box("stsd", [namedForApple(description)]),
    box("stts", [words([0, ticks.length, ...stretches(ticks)])]),
    ...(isShifted
      ? [box("ctts", [words([isShiftedBack ? 0x1000000 : 0, shifts.length, ...stretches(shifts)])])]
      : []),
    ...(syncs.length < bytes.length ? [box("stss", [words([0, syncs.length, ...syncs])])] : []),
    box("stsc", [words([0, runs.length, ...runs.flat()])]),
    box("stsz", [words([0, 0, bytes.length, ...bytes])]),
    box(isLong ? "co64" : "stco", [words([0, chunks.length, ...places])]),
  ]);
}

const entryTypeOffset = 12;

/**
 * Apple's players accept only one of h265's two names, which promises that the description has all parameter sets. If
 * they come with the pictures, the other name remains.
 */
function namedForApple(stsd: Buffer): Buffer {
  if (stsd.toString("latin1", entryTypeOffset, entryTypeOffset + 4) !== "hev1") return stsd;
  if (!hasParameterSets(stsd)) return stsd;
  const renamed = Buffer.from(stsd);
  renamed.write("hvc1", entryTypeOffset, "latin1");
  return renamed;
}

/** Throws Doubtful for what no field of an index can hold, such as a negative time or one centuries away. */
function words(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * values.length);
  for (const [index, value] of values.entries()) {
    if (!(value >= 0 && value <= 0xffffffff)) throw new Doubtful("a time does not fit in the index");
    bytes.writeUInt32BE(value, 4 * index);
  }
  return bytes;
}
