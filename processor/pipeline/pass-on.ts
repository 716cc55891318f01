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
  /** What is in the streams, by their beginnings. */
  readonly probed: readonly ProbedMedia[];
  /** The file, of streams that nobody has read from. What it throws as Doubtful sends the job another way. */
  readonly open: (streams: readonly SourceStream[], signal: AbortSignal) => ObjectBody;
}

/**
 * Stores what passes, and what the source lists beside it, which comes meanwhile. Null when that is done. Where it is
 * doubtful, or where something beside it has to be made of the file: the streams to go on with, each from its first
 * byte.
 */
export async function passOn(
  found: FoundSource,
  first: readonly SourceStream[],
  context: JobContext,
  { plan, probed, open }: Passing,
): Promise<readonly SourceStream[] | null> {
  const { task, stages, meter, places, log } = context;
  const beside = planSidecars(found.source.listed, probed, task.options);
  if (needsFile(beside)) return first;
  meter.hasMux(false);
  const again = () => first.map((_, index) => openSourceStream(found, index, context, false));
  let streams = first;
  const close = () => Promise.all(streams.map((stream) => stream.close()));
  // Whoever is inside may need the connection to the source.
  if (places.uploads.areTaken()) await close();
  const listed = found.listed.start();
  const sidecars = async (signal: AbortSignal) => {
    checkThumbnail(beside, (await listed.finish(signal)).thumbnail);
    return collectSidecars(beside, listed, [], { ...context, signal });
  };
  const upload = (signal: AbortSignal): Promise<unknown> =>
    places.uploads.within(signal, () =>
      uploadWithSidecars(beside, () => sidecars(signal), {
        ...context,
        signal,
        job: task,
        open(shared) {
          // Under another name, or after a wait, the source is asked once more.
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
      // The sooner this is known, the less is sent in vain.
      async (signal) => {
        await orAborted(listed.thumbnail, signal);
        checkThumbnail(beside, await listed.thumbnail);
      },
    ]);
    stages.end("upload");
    meter.uploadedAll();
    return null;
  } catch (error) {
    if (!(error instanceof Doubtful)) throw error;
    log.info({ doubt: error.message }, "what came has to be read by a program");
    return again();
  } finally {
    await close();
  }
}

/** Of all streams together; null where a source has not said it. */
export function bytesOf(streams: readonly SourceStream[]): number | null {
  const totals = streams.map((stream) => stream.totalBytes());
  return totals.includes(null) ? null : totals.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}

/** Throws Doubtful where a thumbnail has to be made of the file, for none that the source lists could be had. */
function checkThumbnail({ pictures }: SidecarPlan, ofListed: LocalSidecar | null): void {
  if (pictures.length > 0 && ofListed === null) throw new Doubtful("the thumbnail has to be made of it");
}
