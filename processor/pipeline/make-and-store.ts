import { join } from "node:path";
import { collectSidecars } from "../sidecars/collect-sidecars.ts";
import { planSidecars } from "../sidecars/plan-sidecars.ts";
import { uploadWithSidecars } from "../sidecars/upload-with-sidecars.ts";
import { contentType } from "../upload/content-type.ts";
import { fileBody } from "../upload/file-body.ts";
import { allOrNone } from "./all-or-none.ts";
import { titleOf, type FoundSource } from "./find-source.ts";
import { inspectSources, type FetchedFile } from "./inspect-sources.ts";
import type { JobContext } from "./job-context.ts";
import { makeOutput } from "./make-output.ts";
import { makeStreamed, type SpilledSource } from "./make-streamed.ts";
import { NotAsPlanned } from "./not-as-planned.ts";
import { planStreamed } from "./plan-streamed.ts";
import type { SourceStream } from "./source-stream.ts";
import { spill } from "./spilled-file.ts";

/**
 * Downloads the source into the job's folder, makes the requested file from it, and stores it: all three concurrently
 * if the beginning of the source tells what the output will be, otherwise one after the other. Calls `onFetched` when
 * the whole source has arrived.
 */
export async function makeAndStore(
  found: FoundSource,
  streams: readonly SourceStream[],
  context: JobContext,
  onFetched: () => void,
): Promise<void> {
  const { folder, disk, meter, stages } = context;
  await reserveDisk(streams, found, context);
  found.listed.start();
  const stopped = new AbortController();
  const spilling = AbortSignal.any([context.signal, stopped.signal]);
  const files = streams.map((stream, index) => ({
    ...spill(stream.chunks(), join(folder, `source-${index}`), disk, spilling),
    listedSeconds: stream.listedSeconds,
  }));
  const fetch = async (signal: AbortSignal) => {
    await allOrNone(
      signal,
      files.map(({ whole }, index) => (shared) => {
        const stop = () => {
          stopped.abort(shared.reason);
          streams[index]?.stop(shared.reason);
        };
        shared.addEventListener("abort", stop, { once: true });
        return whole;
      }),
    );
    onFetched();
    meter.fetchedAll();
    stages.end("download");
  };
  await allOrNone(context.signal, [fetch, (signal) => makeOf(files, streams, found, { ...context, signal })]);
}

/** Reserves space for the source, and the same amount for what is made from it. */
async function reserveDisk(
  streams: readonly SourceStream[],
  { formats }: FoundSource,
  { disk, signal }: JobContext,
): Promise<void> {
  const sum = (all: readonly (number | null)[]) => all.reduce<number>((bytes, one) => bytes + (one ?? 0), 0);
  const known = sum(streams.map((stream) => stream.totalBytes()));
  const likely =
    2 * sum(streams.map((stream, index) => stream.totalBytes() ?? formats[index]?.bytes ?? null));
  await disk.reserve({ known, likely }, signal);
}

/** A smaller file is made faster than streaming it can be prepared. */
const streamedMinBytes = 8 * 1024 * 1024;

async function makeOf(
  files: readonly SpilledSource[],
  streams: readonly SourceStream[],
  found: FoundSource,
  context: JobContext,
): Promise<void> {
  await Promise.all(files.map((file) => file.until(1)));
  const totals = streams.map((stream, index) => stream.totalBytes() ?? found.formats[index]?.bytes ?? NaN);
  const sourceBytes = totals.reduce((sum, bytes) => sum + bytes, 0);
  const streamed =
    sourceBytes < streamedMinBytes ? null : await planStreamed(files, found, sourceBytes, context);
  if (streamed !== null) {
    try {
      await makeStreamed(streamed, files, found, context);
      return;
    } catch (error) {
      if (!(error instanceof NotAsPlanned)) throw error;
      context.log.info({ err: error }, "the file will be made again from the complete source");
    }
  }
  await Promise.all(files.map(({ whole }) => whole));
  await makeWhole(files, found, context);
}

async function makeWhole(
  files: readonly FetchedFile[],
  found: FoundSource,
  context: JobContext,
): Promise<void> {
  const { task, stages, meter, partMemory, places, disk } = context;
  meter.hasMux(true);
  stages.begin("mux");
  const paths = files.map(({ path }) => path);
  const sources = await inspectSources(files, found.source.durationSeconds, context);
  const { path, facts } = await makeOutput(sources, context);
  disk.releaseReserve();
  const probed = sources.inputs.map((input) => input.probed);
  const sidecarPlan = planSidecars(found.source.listed, probed, task.options);
  const sidecars = await collectSidecars(sidecarPlan, found.listed.start(), paths, context);
  stages.end("mux");

  const { container, video } = sources.plan;
  const inFile = probed.find(({ title }) => title !== null)?.title ?? null;
  await places.uploads.within(context.signal, () =>
    uploadWithSidecars(sidecarPlan, async () => sidecars, {
      ...context,
      job: task,
      open(signal) {
        stages.begin("upload");
        meter.uploadBegins();
        return fileBody(path, facts, partMemory.openAccount(), signal);
      },
      title: titleOf(found, inFile),
      extension: container,
      contentType: contentType(container, video !== null),
      onBytes: (arrived) => meter.uploaded(arrived, facts.file_size),
    }),
  );
  stages.end("upload");
}
