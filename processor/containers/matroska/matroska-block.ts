import { lengthOf, readVint } from "./ebml.ts";
import type { MatroskaTrack } from "./matroska-head.ts";
import type { SampleTally } from "../sample-tally.ts";
import type { ByteWalk } from "../walk-bytes.ts";
import { walkSample } from "../walk-sample.ts";

/** Timestamp and flags. */
const fixedBytes = 3;

/**
 * Walks a block of `bytes` bytes sample by sample. Null if it is not a block, belongs to an unknown track, or the
 * stream ends inside it.
 */
export function* walkBlock(
  bytes: number,
  tracks: ReadonlyMap<number, MatroskaTrack>,
  tally: SampleTally<MatroskaTrack>,
): ByteWalk<{ readonly relativeTick: number } | null> {
  const number = yield* takeVint();
  const fixed = yield fixedBytes;
  const track = tracks.get(number?.value ?? NaN);
  const flags = fixed[fixedBytes - 1];
  if (number === null || track === undefined || flags === undefined) return null;
  const sizes = yield* takeSizes(flags & 6, bytes - number.bytes - fixedBytes);
  if (sizes === null || sizes.some((size) => size < 0)) return null;
  for (const size of sizes) {
    const look = yield* walkSample(size, track.check);
    if (look === null) return null;
    tally.add(track, look);
  }
  return { relativeTick: fixed.readInt16BE() };
}

const lacings = { none: 0, xiph: 2, fixed: 4 } as const;

/** The sizes of the samples that share the remaining bytes of a block. */
function* takeSizes(lacing: number, bytes: number): ByteWalk<number[] | null> {
  if (lacing === lacings.none) return [bytes];
  const [others] = yield 1;
  if (others === undefined) return null;
  const left = bytes - 1;
  if (lacing === lacings.fixed) {
    const each = left / (others + 1);
    return Number.isInteger(each) ? Array.from({ length: others + 1 }, () => each) : null;
  }
  const taken = lacing === lacings.xiph ? yield* takeXiphSizes(others) : yield* takeEbmlSizes(others);
  if (taken === null) return null;
  const last = taken.sizes.reduce((rest, size) => rest - size, left - taken.bytes);
  return [...taken.sizes, last];
}

/** The sizes of all samples but the last, and how many bytes they took. */
interface TakenSizes {
  readonly sizes: readonly number[];
  readonly bytes: number;
}

function* takeXiphSizes(count: number): ByteWalk<TakenSizes | null> {
  const sizes: number[] = [];
  let bytes = 0;
  while (sizes.length < count) {
    let size = 0;
    for (let part = 255; part === 255; bytes += 1, size += part) {
      const [next] = yield 1;
      if (next === undefined) return null;
      part = next;
    }
    sizes.push(size);
  }
  return { sizes, bytes };
}

/** The first is a size, each of the others the difference from the one before. */
function* takeEbmlSizes(count: number): ByteWalk<TakenSizes | null> {
  const sizes: number[] = [];
  let bytes = 0;
  while (sizes.length < count) {
    const number = yield* takeVint();
    if (number === null) return null;
    const before = sizes.at(-1);
    const middle = 2 ** (7 * number.bytes - 1) - 1;
    sizes.push(before === undefined ? number.value : before + number.value - middle);
    bytes += number.bytes;
  }
  return { sizes, bytes };
}

function* takeVint(): ByteWalk<{ readonly value: number; readonly bytes: number } | null> {
  const first = yield 1;
  const bytes = lengthOf(first[0]);
  if (bytes > 8) return null;
  const all = bytes === 1 ? first : Buffer.concat([first, yield bytes - 1]);
  const value = all.length < bytes ? null : readVint(all, 0);
  return value === null ? null : { value, bytes };
}
