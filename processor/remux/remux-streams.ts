import { Doubtful } from "../direct/doubtful.ts";
import { createSampleTally, type SampleTally } from "../containers/sample-tally.ts";
import { createWalker, type ByteWalk } from "../containers/walk-bytes.ts";
import { walkSample } from "../containers/walk-sample.ts";
import type { FragmentedTrack } from "./fragmented-tracks.ts";
import type { SampleRun } from "./read-fragment.ts";
import { readRuns } from "./read-runs.ts";
import type { RemuxPlan } from "./plan-remux.ts";
import { collectSamples, type SampleTables } from "./sample-tables.ts";
import { streamBytes, type StreamBytes } from "./stream-bytes.ts";
import { clockOf } from "./track-starts.ts";

/** The media of an mp4 that is made from fragmented ones while they arrive. */
export interface Remuxing {
  /** What follows the head; can be read once. Throws Doubtful if the inputs are not as their beginnings said. */
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
  /** What the index has to say, once everything has arrived. Throws Doubtful if a decoder has to judge the samples. */
  finish(): Finished;
}

export interface Finished {
  /** Those of each stream, in order. */
  readonly tables: readonly (readonly SampleTables[])[];
  readonly mediaBytes: number;
  /** One per stream, in order. */
  readonly streams: readonly RemuxedStream[];
}

export interface RemuxedStream {
  /** The duration received. */
  readonly seconds: number;
  /** A single index before the media covers all of it. */
  readonly isIndexed: boolean;
}

/** A stream that lags behind the others by more than this is read first. */
const turnSeconds = 0.5;

/** The samples of all streams, interleaved by their times, each checked as it passes. */
export function remuxStreams(
  streams: readonly AsyncIterable<Buffer>[],
  { tracks, headBytes, samplesMax }: Pick<RemuxPlan, "tracks" | "headBytes" | "samplesMax">,
): Remuxing {
  const tally = createSampleTally<FragmentedTrack>();
  const collectors = new Map(tracks.flat().map((track) => [track, collectSamples(track)]));
  let offset = headBytes;
  let lines: readonly Line[] = [];

  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    lines = await Promise.all(
      streams.map((stream, index) => openLine(streamBytes(stream), tracks[index] ?? [], samplesMax)),
    );
    for (let line = mostBehind(lines); line !== null; line = mostBehind(lines)) {
      const others = lines.filter((other) => other !== line && other.run !== null);
      const until = Math.min(...others.map((other) => other.seconds)) + turnSeconds;
      for await (const chunk of turn(line, until)) {
        offset += chunk.length;
        yield chunk;
      }
    }
  }

  async function* turn(line: Line, until: number): AsyncGenerator<Buffer, void, undefined> {
    const { run, bytes } = line;
    if (run === null) return;
    const collector = collectors.get(run.track);
    if (collector === undefined) throw new Error("there is no such track");
    const first = line.next;
    let at = offset;
    do {
      const sample = run.samples[line.next];
      if (sample === undefined) break;
      collector.add(sample, line.tick, at);
      at += sample.bytes;
      line.tick += sample.ticks;
      line.next += 1;
    } while (secondsOf(line, run) < until);
    const sizes = run.samples.slice(first, line.next).map((sample) => sample.bytes);
    yield* looked(bytes, at - offset, run.track, sizes, tally);
    line.seconds = secondsOf(line, run);
    if (line.next === run.samples.length) await nextRun(line);
  }

  return {
    chunks: chunks(),
    finish() {
      if (tally.verdict() !== "right") throw new Doubtful("the samples do not look like their codec");
      const tables = tracks.map((own) => own.flatMap((track) => collectors.get(track)?.tables() ?? []));
      return {
        tables,
        mediaBytes: offset - headBytes,
        streams: lines.map(({ isIndexed }, index) => ({
          seconds: clockOf(tables[index] ?? []).durationSeconds,
          isIndexed,
        })),
      };
    },
  };
}

/** How far one stream is. */
interface Line {
  readonly bytes: StreamBytes;
  readonly runs: AsyncGenerator<SampleRun, boolean, undefined>;
  /** Null at its end. */
  run: SampleRun | null;
  /** The run's next sample, and when it is decoded. */
  next: number;
  tick: number;
  /** The same time, relative to the beginning of its track. */
  seconds: number;
  /** Known at the end: whether a single index before the media covers all of it. */
  isIndexed: boolean;
  readonly startTicks: Map<FragmentedTrack, number>;
}

async function openLine(
  bytes: StreamBytes,
  tracks: readonly FragmentedTrack[],
  samplesMax: number,
): Promise<Line> {
  const runs = readRuns(bytes, tracks, samplesMax);
  const line: Line = {
    bytes,
    runs,
    run: null,
    next: 0,
    tick: 0,
    seconds: 0,
    isIndexed: false,
    startTicks: new Map(),
  };
  await nextRun(line);
  return line;
}

async function nextRun(line: Line): Promise<void> {
  const next = await line.runs.next();
  line.run = next.done === true ? null : next.value;
  if (next.done === true) line.isIndexed = next.value;
  if (line.run === null) return;
  const { track, startTick } = line.run;
  if (!line.startTicks.has(track)) line.startTicks.set(track, startTick);
  line.next = 0;
  line.tick = startTick;
  line.seconds = secondsOf(line, line.run);
}

function secondsOf({ tick, startTicks }: Line, { track }: SampleRun): number {
  return (tick - (startTicks.get(track) ?? 0)) / track.ticksPerSecond;
}

function mostBehind(lines: readonly Line[]): Line | null {
  const going = lines.filter(({ run }) => run !== null);
  return going.reduce<Line | null>(
    (first, line) => (first && first.seconds <= line.seconds ? first : line),
    null,
  );
}

async function* looked(
  bytes: StreamBytes,
  length: number,
  track: FragmentedTrack,
  sizes: readonly number[],
  tally: SampleTally<FragmentedTrack>,
): AsyncGenerator<Buffer, void, undefined> {
  const walker = createWalker(walkSamples(track, sizes, tally));
  for await (const chunk of bytes.pass(length)) {
    walker.take(chunk);
    yield chunk;
  }
  if (!walker.end()) throw new Doubtful("the stream is truncated");
}

/** False if the stream ends inside. */
function* walkSamples(
  track: FragmentedTrack,
  sizes: readonly number[],
  tally: SampleTally<FragmentedTrack>,
): ByteWalk<boolean> {
  for (const size of sizes) {
    const look = yield* walkSample(size, track.check);
    if (look === null) return false;
    tally.add(track, look);
  }
  return true;
}
