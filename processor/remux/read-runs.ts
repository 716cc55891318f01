import { isDeepStrictEqual } from "node:util";
import { Doubtful } from "../direct/doubtful.ts";
import { readHeader } from "../containers/mp4/mp4-boxes.ts";
import { createIndexedEnds } from "../containers/mp4/segment-index.ts";
import { indexMaxBytes, readFragmentedTracks, type FragmentedTrack } from "./fragmented-tracks.ts";
import { readFragment, type SampleRun } from "./read-fragment.ts";
import type { StreamBytes } from "./stream-bytes.ts";

const headerBytes = { short: 8, long: 16 } as const;
/** As large as the index of a fragment of several minutes. */
const fragmentMaxBytes = 8 * 1024 * 1024;
/** More than an hour has. If all samples are alike, a few bytes can declare any number. */
const fragmentSamplesMax = 2 ** 18;

/**
 * The runs of samples of a fragmented mp4, in order, each when its bytes are next in the stream: the caller passes a
 * run's bytes before asking for the next one. Throws Doubtful if the stream is truncated, or not as its boxes say.
 * Returns whether a single index before the media covers all of it.
 */
export async function* readRuns(
  bytes: StreamBytes,
  tracks: readonly FragmentedTrack[],
  samplesMax: number,
): AsyncGenerator<SampleRun, boolean, undefined> {
  const nextTicks = new Map<FragmentedTrack, number>();
  const nextTick = (track: FragmentedTrack) => nextTicks.get(track) ?? 0;
  let waiting: SampleRun[] = [];
  let samplesLeft = samplesMax;
  const ends = createIndexedEnds();
  for (;;) {
    const offset = bytes.position();
    const box = await readBoxHeader(bytes);
    if (box === null) break;
    if (box.type === "moof") {
      if (waiting.length > 0) throw new Doubtful("a fragment has no media");
      const content = await takeContent(bytes, box.end, fragmentMaxBytes);
      const mostSamples = Math.min(samplesLeft, fragmentSamplesMax);
      const runs = readFragment(content, { tracks, offset, nextTick, samplesMax: mostSamples });
      if (runs === null) throw new Doubtful("the index of a fragment cannot be read");
      for (const run of runs) {
        samplesLeft -= run.samples.length;
        nextTicks.set(run.track, endTick(run));
      }
      waiting = runs;
    } else if (box.type === "moov") {
      if (!isDeepStrictEqual(readFragmentedTracks(await takeContent(bytes, box.end, indexMaxBytes)), tracks))
        throw new Doubtful("the description of the stream changes");
    } else if (box.type === "sidx") {
      ends.index(await takeContent(bytes, box.end, indexMaxBytes), box.end);
    } else if (box.type === "mdat") {
      if (waiting.length === 0) throw new Doubtful("there is media without an index");
      for (const run of waiting) {
        if (run.offset < bytes.position() || endOffset(run) > box.end)
          throw new Doubtful("samples are not where the index says");
        await skipTo(bytes, run.offset);
        yield run;
        if (bytes.position() !== endOffset(run)) throw new Doubtful("the stream is truncated");
      }
      waiting = [];
      ends.mediaTo(box.end);
    }
    await skipTo(bytes, box.end);
  }
  const { isMissing, isSure } = ends.at(bytes.position());
  if (waiting.length > 0 || isMissing) throw new Doubtful("the stream is truncated");
  return isSure;
}

/** The rest of a box that describes others. */
async function takeContent(bytes: StreamBytes, end: number, mostBytes: number): Promise<Buffer> {
  const length = end - bytes.position();
  if (length > mostBytes) throw new Doubtful("an index is too large");
  const content = await bytes.take(length);
  if (content.length < length) throw new Doubtful("the stream is truncated");
  return content;
}

function endTick({ startTick, samples }: SampleRun): number {
  return samples.reduce((tick, { ticks }) => tick + ticks, startTick);
}

function endOffset({ offset, samples }: SampleRun): number {
  return samples.reduce((end, { bytes }) => end + bytes, offset);
}

/** Null at the end of the stream. */
async function readBoxHeader(bytes: StreamBytes): Promise<{ type: string; end: number } | null> {
  const start = bytes.position();
  const short = await bytes.take(headerBytes.short);
  if (short.length === 0) return null;
  const isLong = short.length === headerBytes.short && short.readUInt32BE(0) === 1;
  const header = isLong
    ? Buffer.concat([short, await bytes.take(headerBytes.long - headerBytes.short)])
    : short;
  const box = readHeader(header, Infinity);
  // A box of unknown length reaches to the end, which does not prove that the stream is complete.
  if (box === null || !Number.isFinite(box.bytes)) throw new Doubtful("the stream is truncated");
  return { type: box.type, end: start + box.bytes };
}

async function skipTo(bytes: StreamBytes, offset: number): Promise<void> {
  for await (const _ of bytes.pass(offset - bytes.position()));
  if (bytes.position() < offset) throw new Doubtful("the stream is truncated");
}
