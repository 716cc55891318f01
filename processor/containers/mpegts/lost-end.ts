import type { TransportEdges } from "./transport-scan.ts";

/** A segment as its list describes it, and as it arrived. */
export interface ListedEdges {
  readonly edges: TransportEdges;
  /** How long it plays according to the list. */
  readonly seconds: number;
}

/** A shorter gap may be a picture that is shown for long. */
const gapMinSeconds = 0.5;
/** Lists may be rounded to whole seconds. */
const listedPrecisionSeconds = 1;

/**
 * Whether the end of a segment is missing, judging by the `next` one: it ends earlier than listed, the next one starts
 * when it should have ended, and packets are missing in between. In a recording with gaps no packets are missing; where
 * an encoder was restarted, the counters begin as in the `first` segment.
 */
export function hasLostEnd(
  { edges, seconds }: ListedEdges,
  next: TransportEdges,
  first: TransportEdges,
): boolean {
  const gap = secondsBetween(edges.endTick, next.startTick);
  const step = secondsBetween(edges.startTick, next.startTick);
  if (gap === null || step === null || gap < gapMinSeconds) return false;
  if (Math.abs(step - seconds) > listedPrecisionSeconds || next.isMarked) return false;
  const isRestart = [...next.counters].every(
    ([stream, { first: start }]) => start === first.counters.get(stream)?.first,
  );
  return !isRestart && areMissing(edges, next);
}

function areMissing({ counters }: TransportEdges, next: TransportEdges): boolean {
  return [...next.counters].some(([stream, { first }]) => {
    const before = counters.get(stream);
    return before !== undefined && first !== ((before.last + 1) & 15);
  });
}

const ticksPerSecond = 90_000;
/** Times start again from 0 after 26 hours. */
const clockTicks = 2 ** 33;

function secondsBetween(from: number | null, to: number | null): number | null {
  if (from === null || to === null) return null;
  const ticks = (to - from + clockTicks) % clockTicks;
  return (ticks > clockTicks / 2 ? ticks - clockTicks : ticks) / ticksPerSecond;
}
