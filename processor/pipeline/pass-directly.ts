import { decidingBytes } from "../direct/deciding-bytes.ts";
import { Doubtful, planDirectFile, type DirectFile } from "../direct/direct-file.ts";
import { noSidecars, planSidecars, sidecarSuffixes } from "../sidecars/plan-sidecars.ts";
import { uploadWithSidecars } from "../sidecars/upload-with-sidecars.ts";
import { contentType } from "../upload/content-type.ts";
import type { ObjectBody } from "../upload/object-body.ts";
import { partBytesFor } from "../upload/part-plan.ts";
import { streamBody } from "../upload/stream-body.ts";
import { titleOf, type FoundSource } from "./find-source.ts";
import type { JobContext } from "./job-context.ts";
import type { MainFileFacts } from "./job.ts";
import { openSourceStream, type SourceStream } from "./source-stream.ts";

/**
 * Stores a source that already is the file that was asked for: its bytes go from the source to storage as they come,
 * with nothing of it on disk and no program started, and nothing beside it. Null when that is done. Where it is something else, or turns out
 * to need one that decodes it: the stream to go on with, from its first byte.
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
  if (sidecarSuffixes(beside).length > 0) return first;
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
  try {
    await places.uploads.within(context.signal, () =>
      uploadWithSidecars(noSidecars, async () => [], {
        ...context,
        job: task,
        open,
        title: titleOf(found, file.probed.title),
        extension: file.plan.container,
        contentType: contentType(file.plan.container, file.plan.video !== null),
        onBytes: (bytes) => meter.uploaded(bytes, stream.totalBytes()),
      }),
    );
    stages.end("upload");
    meter.uploadedAll();
    return null;
  } catch (error) {
    if (!(error instanceof Doubtful)) throw error;
    log.info({ doubt: error.message }, "a direct file is judged by a decoder");
    return again();
  } finally {
    await stream.close();
  }
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
