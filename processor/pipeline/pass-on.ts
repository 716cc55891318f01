import { Doubtful } from "../direct/doubtful.ts";
import type { ProbedMedia } from "../mux/media.ts";
import type { OutputPlan } from "../mux/plan-output.ts";
import { collectSidecars } from "../sidecars/collect-sidecars.ts";
import type { LocalSidecar } from "../sidecars/local-sidecar.ts";
import { needsFile, planSidecars, type SidecarPlan } from "../sidecars/plan-sidecars.ts";
import { uploadWithSidecars } from "../sidecars/upload-with-sidecars.ts";
import { contentType } from "../upload/content-type.ts";
import type { ObjectBody } from "../upload/object-body.ts";
import { allOrNone } from "./all-or-none.ts";
import { titleOf, type FoundSource } from "./find-source.ts";
import type { JobContext } from "./job-context.ts";
import { orAborted } from "./or-aborted.ts";
import { openSourceStream, type SourceStream } from "./source-stream.ts";

/** How streams become a file on their way to storage. */
export interface Passing {
  readonly plan: OutputPlan;
  /** What the streams contain, judging by their beginnings. */
  readonly probed: readonly ProbedMedia[];
  /**
   * The output file, made from streams that have not been read yet. If it throws Doubtful, the job takes another path.
   */
  readonly open: (streams: readonly SourceStream[], signal: AbortSignal) => ObjectBody;
}

/**
 * Stores the output of passing streams, and meanwhile the sidecars that the source lists. Returns null when that is
 * done. If there are doubts, or a sidecar has to be made from the file, returns the streams to continue with, each from
 * its first byte.
 */
export async function passOn(
  found: FoundSource,
  first: readonly SourceStream[],
  context: JobContext,
  { plan, probed, open }: Passing,
): Promise<readonly SourceStream[] | null> {
  const { task, stages, meter, places, log } = context;
  const sidecarPlan = planSidecars(found.source.listed, probed, task.options);
  if (needsFile(sidecarPlan)) return first;
  meter.hasMux(false);
  const again = () => first.map((_, index) => openSourceStream(found, index, context, false));
  let streams = first;
  const close = () => Promise.all(streams.map((stream) => stream.close()));
  // The jobs inside may need this connection to the source.
  if (places.uploads.areTaken()) await close();
  const listed = found.listed.start();
  const sidecars = async (signal: AbortSignal) => {
    checkThumbnail(sidecarPlan, (await listed.finish(signal)).thumbnail);
    return collectSidecars(sidecarPlan, listed, [], { ...context, signal });
  };
  const upload = (signal: AbortSignal): Promise<unknown> =>
    places.uploads.within(signal, () =>
      uploadWithSidecars(sidecarPlan, () => sidecars(signal), {
        ...context,
        signal,
        job: task,
        open(shared) {
          // Under another name, or after a wait, the source has to be requested again.
          if (streams.some((stream) => stream.isOver())) streams = again();
          return open(streams, shared);
        },
        title: titleOf(found, probed.find(({ title }) => title !== null)?.title ?? null),
        extension: plan.container,
        contentType: contentType(plan.container, plan.video !== null),
        onBytes: (bytes) => meter.uploaded(bytes, bytesOf(streams)),
      }),
    );
  try {
    await allOrNone(context.signal, [
      upload,
      // The sooner this is known, the less is uploaded for nothing.
      async (signal) => {
        await orAborted(listed.thumbnail, signal);
        checkThumbnail(sidecarPlan, await listed.thumbnail);
      },
    ]);
    stages.end("upload");
    meter.uploadedAll();
    return null;
  } catch (error) {
    if (!(error instanceof Doubtful)) throw error;
    log.info({ doubt: error.message }, "the stream cannot be checked without a program");
    return again();
  } finally {
    await close();
  }
}

/** The total of all streams; null if a source has not stated its size. */
export function bytesOf(streams: readonly SourceStream[]): number | null {
  const totals = streams.map((stream) => stream.totalBytes());
  return totals.includes(null) ? null : totals.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}

/** Throws Doubtful if the thumbnail has to be made from the file because none of the listed pictures could be used. */
function checkThumbnail({ pictures }: SidecarPlan, ofListed: LocalSidecar | null): void {
  if (pictures.length > 0 && ofListed === null) throw new Doubtful("the thumbnail has to be made of it");
}
