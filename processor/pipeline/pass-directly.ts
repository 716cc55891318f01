import { decidingBytes } from "../direct/deciding-bytes.ts";
import { planDirectFile, type DirectFile } from "../direct/direct-file.ts";
import type { ObjectBody } from "../upload/object-body.ts";
import { partBytesFor } from "../upload/part-plan.ts";
import { streamBody } from "../upload/stream-body.ts";
import type { FoundSource } from "./find-source.ts";
import type { JobContext } from "./job-context.ts";
import type { MainFileFacts } from "./job.ts";
import { passOn } from "./pass-on.ts";
import type { SourceStream } from "./source-stream.ts";

/**
 * Stores a source that is already the requested file: its bytes go straight from the source to storage, without
 * touching the disk or starting a program. Returns null when that is done. If the source is something else, or turns
 * out to need a program to judge it, returns the stream to continue with, from its first byte.
 */
export async function passDirectly(
  found: FoundSource,
  first: readonly SourceStream[],
  context: JobContext,
): Promise<readonly SourceStream[] | null> {
  const [only, ...others] = first;
  if (only === undefined || others.length > 0) return first;
  const head = await only.head(decidingBytes);
  const file = await planDirectFile(head, context.task.options, found.source.durationSeconds);
  if (file === null) return first;
  context.stages.end("mux");
  return passOn(found, first, context, {
    plan: file.plan,
    probed: [file.probed],
    open: ([stream = only], signal) => directBody(stream, file, context, signal),
  });
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
