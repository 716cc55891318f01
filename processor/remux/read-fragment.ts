import { boxContent, boxesIn } from "../containers/mp4/box-content.ts";
import type { FragmentedTrack, SampleDefaults } from "./fragmented-tracks.ts";

/** Consecutive samples of a track in its stream. */
export interface SampleRun {
  readonly track: FragmentedTrack;
  /** Offset of the first one in the stream, in bytes. */
  readonly offset: number;
  /** When the first one is decoded, on the track's own clock. */
  readonly startTick: number;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly bytes: number;
  /** Until the next one is decoded. */
  readonly ticks: number;
  /** From decoding to presentation. */
  readonly shift: number;
  /** It can be decoded without the samples before it. */
  readonly isSync: boolean;
}

export interface FragmentPlace {
  readonly tracks: readonly FragmentedTrack[];
  /** Offset of its box in the stream. */
  readonly offset: number;
  /** When a track's next sample is decoded if it does not say so itself. */
  readonly nextTick: (track: FragmentedTrack) => number;
  /** In all its runs together. */
  readonly samplesMax: number;
}

/**
 * Reads the content of a `moof` box, in the order of the samples in the stream. Null if it contradicts itself, or has
 * too many samples.
 */
export function readFragment(moof: Buffer, place: FragmentPlace): SampleRun[] | null {
  if (!isFilled(moof)) return null;
  const runs: SampleRun[] = [];
  const nextTicks = new Map<FragmentedTrack, number>();
  let end = place.offset;
  let samplesLeft = place.samplesMax;
  for (const traf of boxesIn(moof).filter(({ type }) => type === "traf")) {
    if (!isFilled(traf.content)) return null;
    const header = readTrackHeader(boxContent(traf.content, "tfhd"), place.tracks);
    if (header === null) return null;
    const { track, base, isFromFragment, ...defaults } = header;
    const start = base ?? (isFromFragment ? place.offset : end);
    end = start;
    let tick =
      readDecodeTime(boxContent(traf.content, "tfdt")) ?? nextTicks.get(track) ?? place.nextTick(track);
    for (const trun of boxesIn(traf.content).filter(({ type }) => type === "trun")) {
      const run = readRun(trun.content, track, defaults, samplesLeft);
      if (run === null) return null;
      const offset = run.dataOffset === null ? end : start + run.dataOffset;
      runs.push({ track, offset, startTick: tick, samples: run.samples });
      samplesLeft -= run.samples.length;
      end = run.samples.reduce((sum, { bytes }) => sum + bytes, offset);
      tick = run.samples.reduce((sum, { ticks }) => sum + ticks, tick);
    }
    nextTicks.set(track, tick);
  }
  return runs.filter(({ samples }) => samples.length > 0).sort((one, other) => one.offset - other.offset);
}

/** Boxes fill the content to its end: anything after one that does not fit would be missed. */
function isFilled(content: Buffer): boolean {
  const last = boxesIn(content).at(-1)?.content ?? content.subarray(0, 0);
  return last.byteOffset + last.length === content.byteOffset + content.length;
}

interface TrackHeader extends SampleDefaults {
  readonly track: FragmentedTrack;
  /** What offsets are relative to; null if the header does not say. */
  readonly base: number | null;
  readonly isFromFragment: boolean;
}

function readTrackHeader(tfhd: Buffer | null, tracks: readonly FragmentedTrack[]): TrackHeader | null {
  const fields = tfhd && readFields(tfhd, 4);
  const track = tracks.find(({ id }) => tfhd !== null && tfhd.length >= 8 && id === tfhd.readUInt32BE(4));
  if (!fields || track === undefined) return null;
  const { defaults } = track;
  const base = fields.long(0x1);
  fields.short(0x2);
  const ticks = fields.short(0x8) ?? defaults.ticks;
  const bytes = fields.short(0x10) ?? defaults.bytes;
  const flags = fields.short(0x20) ?? defaults.flags;
  if (fields.isCut()) return null;
  return { track, base, isFromFragment: fields.has(0x20000), ticks, bytes, flags };
}

function readDecodeTime(tfdt: Buffer | null): number | null {
  if (tfdt === null || tfdt.length < (tfdt[0] === 1 ? 12 : 8)) return null;
  return tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
}

/** The flags that mean that a sample depends on others. */
const needsOthers = 0x1010000;
const audioKinds: ReadonlySet<string> = new Set(["aac", "opus"]);

/** Every audio sample can be decoded alone, whatever its flags say. */
function standsAlone({ check }: FragmentedTrack, flags: number): boolean {
  return audioKinds.has(check.kind) || (flags & needsOthers) === 0;
}

function readRun(
  trun: Buffer,
  track: FragmentedTrack,
  defaults: SampleDefaults,
  samplesMax: number,
): { dataOffset: number | null; samples: Sample[] } | null {
  const fields = readFields(trun, 4);
  if (fields === null || trun.length < 8) return null;
  const count = trun.readUInt32BE(4);
  const dataOffset = fields.signed(0x1);
  const firstFlags = fields.short(0x4);
  if (count > samplesMax) return null;
  const samples: Sample[] = [];
  for (let index = 0; index < count; index += 1) {
    const ticks = fields.short(0x100) ?? defaults.ticks;
    const bytes = fields.short(0x200) ?? defaults.bytes;
    const ownFlags = fields.short(0x400);
    const flags = (index === 0 ? firstFlags : null) ?? ownFlags ?? defaults.flags;
    // Negative only in boxes of version 1; no shift is large enough for the difference to matter.
    const shift = fields.signed(0x800) ?? 0;
    samples.push({ bytes, ticks, shift, isSync: standsAlone(track, flags) });
  }
  return fields.isCut() ? null : { dataOffset, samples };
}

/** Reads the fields of a box one after the other; each is present if its flag is set. */
function readFields(content: Buffer, skipped: number) {
  if (content.length < 4) return null;
  const flags = content.readUIntBE(1, 3);
  let at = 4 + skipped;
  let isCut = false;
  const field = <Value>(flag: number, bytes: number, read: (at: number) => Value): Value | null => {
    if ((flags & flag) === 0) return null;
    const start = at;
    at += bytes;
    isCut ||= at > content.length;
    return isCut ? null : read(start);
  };
  return {
    has: (flag: number) => (flags & flag) !== 0,
    short: (flag: number) => field(flag, 4, (start) => content.readUInt32BE(start)),
    signed: (flag: number) => field(flag, 4, (start) => content.readInt32BE(start)),
    long: (flag: number) => field(flag, 8, (start) => Number(content.readBigUInt64BE(start))),
    isCut: () => isCut,
  };
}
