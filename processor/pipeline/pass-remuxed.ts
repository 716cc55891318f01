import { join } from "node:path";
import { Doubtful } from "../direct/doubtful.ts";
import { indexBytes, planRemux, type RemuxPlan } from "../remux/plan-remux.ts";
import { remuxStreams } from "../remux/remux-streams.ts";
import { verifyRemuxed } from "../remux/verify-remuxed.ts";
import { writeHead } from "../remux/write-head.ts";
import { headedBody } from "../upload/headed-body.ts";
import type { ObjectBody } from "../upload/object-body.ts";
import { partBytesFor } from "../upload/part-plan.ts";
import type { FoundSource } from "./find-source.ts";
import type { JobContext } from "./job-context.ts";
import type { MainFileFacts } from "./job.ts";
import { bytesOf, passOn } from "./pass-on.ts";
import { openSourceStream, type SourceStream } from "./source-stream.ts";

/**
 * Stores fragmented mp4 streams as one mp4: their samples go straight from the source to storage without starting a
 * program, and only the first few parts touch the disk. Returns null when that is done. If the streams are something
 * else, or turn out to need a program, returns the streams to continue with, each from its first byte.
 */
export async function passRemuxed(
  found: FoundSource,
  first: readonly SourceStream[],
  context: JobContext,
): Promise<readonly SourceStream[] | null> {
  const { task, log } = context;
  const patienceMs = waitMaxMs(context);
  try {
    const heads = first.map((stream) => stream.head(indexBytes));
    const beginnings = await movingOn(Promise.all(heads), first, patienceMs);
    const planned = await planRemux(beginnings, task.options, found.source.durationSeconds);
    if (planned === null) return first;
    const { plan, probed } = planned;
    const open = (streams: readonly SourceStream[], signal: AbortSignal) =>
      remuxedBody(streams, planned, context, signal);
    return await passOn(found, first, context, { plan, probed, open });
  } catch (error) {
    if (!(error instanceof Doubtful)) throw error;
    log.info({ doubt: error.message }, "the streams are downloaded to disk instead");
    await Promise.all(first.map((stream) => stream.close()));
    return first.map((_, index) => openSourceStream(found, index, context, false));
  }
}

function remuxedBody(
  streams: readonly SourceStream[],
  planned: RemuxPlan,
  context: JobContext,
  signal: AbortSignal,
): ObjectBody {
  const { stages, meter, partMemory, task, folder, disk } = context;
  const { headBytes } = planned;
  const patienceMs = waitMaxMs(context);
  const made: { facts: MainFileFacts | null } = { facts: null };
  const remuxing = remuxStreams(
    streams.map((stream) => stream.chunks()),
    planned,
  );

  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const next = await movingOn(remuxing.chunks.next(), streams, patienceMs);
      if (next.done === true) break;
      yield next.value;
    }
    stages.end("download");
    stages.end("mux");
    meter.fetchedAll();
  }

  stages.begin("mux");
  stages.begin("upload");
  meter.uploadBegins();
  signal.addEventListener("abort", () => stop(streams, signal.reason), { once: true });
  const known = bytesOf(streams);
  const mostBytes = known === null ? null : known + headBytes;
  const head = async () => {
    const finished = remuxing.finish();
    const written = writeHead(planned, finished);
    const listedSeconds = streams.map((stream) => stream.listedSeconds());
    made.facts = await verifyRemuxed(written, planned, { finished, listedSeconds });
    return written;
  };
  const facts = async () => {
    if (made.facts === null) throw new Error("nothing was made");
    return made.facts;
  };
  const partBytes = partBytesFor(mostBytes ?? task.limits.source_file_bytes);
  const path = join(folder, "beginning");
  const object = { chunks: chunks(), headBytes, head, partBytes, mostBytes, facts, path };
  return headedBody(object, partMemory.openAccount(), disk, signal);
}

function stop(streams: readonly SourceStream[], reason: unknown): void {
  for (const stream of streams) stream.stop(reason);
}

/** Longer than a stream on its own is without a byte: it ends after the silence, and is patient before that. */
function waitMaxMs({ task, network }: JobContext): number {
  return 2 * task.limits.source_silence_ms + network.patience.askedMaxMs;
}

/**
 * Ends streams that block each other, with Doubtful: none of them receives anything. A stream that only its source holds
 * up ends earlier by itself. But one that waits for a connection does not, and the stream holding that connection may
 * itself be waiting until more of the first is read.
 */
async function movingOn<Result>(
  wait: Promise<Result>,
  streams: readonly SourceStream[],
  waitMs: number,
): Promise<Result> {
  const arrived = () => streams.reduce((sum, stream) => sum + stream.arrivals(), 0);
  let before = arrived();
  const timer = setInterval(() => {
    const now = arrived();
    if (now === before) stop(streams, new Doubtful("the streams wait for each other"));
    before = now;
  }, waitMs);
  return await wait.finally(() => clearInterval(timer));
}
