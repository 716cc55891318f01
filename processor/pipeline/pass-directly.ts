import { decidingBytes } from "../direct/deciding-bytes.ts";
import { Doubtful, planDirectFile, type DirectFile } from "../direct/direct-file.ts";
import { collectSidecars } from "../sidecars/collect-sidecars.ts";
import type { LocalSidecar } from "../sidecars/local-sidecar.ts";
import { needsFile, planSidecars, type SidecarPlan } from "../sidecars/plan-sidecars.ts";
import { uploadWithSidecars } from "../sidecars/upload-with-sidecars.ts";
import { contentType } from "../upload/content-type.ts";
import type { ObjectBody } from "../upload/object-body.ts";
import { partBytesFor } from "../upload/part-plan.ts";
import { streamBody } from "../upload/stream-body.ts";
import { allOrNone } from "./all-or-none.ts";
import { titleOf, type FoundSource } from "./find-source.ts";
import type { JobContext } from "./job-context.ts";
import type { MainFileFacts } from "./job.ts";
import { orAborted } from "./or-aborted.ts";
import { openSourceStream, type SourceStream } from "./source-stream.ts";

/**
 * Stores a source that already is the file that was asked for: its bytes go from the source to storage as they come,
 * with nothing of it on disk and no program started; what the source lists beside it comes meanwhile. Null when that is
 * done. Where it is something else, or turns out to need a program that reads it: the stream to go on with, from its
 * first byte.
 */
export async function passDirectly(
  found: FoundSource,
  first: SourceStream,
  context: JobContext,
): Promise<SourceStream | null> {
  const { task, stages, meter, places, log } = context;
  const head = await first.head(decidingBytes);
  const file = await planDirectFile(head, task.options, found.source.durationSeconds);
  if (file === null) return first;
  const beside = planSidecars(found.source.listed, [file.probed], task.options);
  if (needsFile(beside)) return first;
  stages.end("mux");
  meter.hasMux(false);
  const again = () => openSourceStream(found, 0, context, false);
  let stream = first;
  const open = (signal: AbortSignal) => {
    // Under another name, or after a wait, the source is asked once more.
    if (stream.isOver()) stream = again();
    return directBody(stream, file, context, signal);
  };
  // Whoever is inside may need the connection to the source.
  if (places.uploads.areTaken()) await stream.close();
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
        open,
        title: titleOf(found, file.probed.title),
        extension: file.plan.container,
        contentType: contentType(file.plan.container, file.plan.video !== null),
        onBytes: (bytes) => meter.uploaded(bytes, stream.totalBytes()),
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
    log.info({ doubt: error.message }, "a direct file has to be read by a program");
    return again();
  } finally {
    await stream.close();
  }
}

/** Throws Doubtful where a thumbnail has to be made of the file, for none that the source lists could be had. */
function checkThumbnail({ pictures }: SidecarPlan, ofListed: LocalSidecar | null): void {
  if (pictures.length > 0 && ofListed === null) throw new Doubtful("the thumbnail has to be made of it");
}

function directBody(
  stream: SourceStream,
  file: DirectFile,
  { stages, meter, partMemory, task }: JobContext,
  signal: AbortSignal,
): ObjectBody {
  const inspection = file.inspect();
  let bytes = 0;

  async function* inspected(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of stream.chunks()) {
      inspection.take(chunk);
      bytes += chunk.length;
      yield chunk;
    }
    stages.end("download");
    meter.fetchedAll();
  }

  stages.begin("upload");
  meter.uploadBegins();
  signal.addEventListener("abort", () => stream.stop(signal.reason), { once: true });
  const mostBytes = stream.totalBytes();
  const chunks = inspected();
  const facts = async (): Promise<MainFileFacts> => ({ media: inspection.end(), file_size: bytes });
  const partBytes = partBytesFor(mostBytes ?? task.limits.source_file_bytes);
  return streamBody({ chunks, partBytes, mostBytes, facts }, partMemory.openAccount(), signal);
}
