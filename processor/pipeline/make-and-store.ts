import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { collectSidecars } from "../sidecars/collect-sidecars.ts";
import { planSidecars } from "../sidecars/plan-sidecars.ts";
import { uploadWithSidecars } from "../sidecars/upload-with-sidecars.ts";
import { contentType } from "../upload/content-type.ts";
import { fileBody } from "../upload/file-body.ts";
import { allOrNone } from "./all-or-none.ts";
import { titleOf, type FoundSource } from "./find-source.ts";
import type { JobContext } from "./job-context.ts";
import { makeOutput } from "./make-output.ts";
import type { SourceStream } from "./source-stream.ts";

/** Fetches the source into the job's folder, makes the file that was asked for of it, and stores that. */
export async function makeAndStore(
  found: FoundSource,
  streams: readonly SourceStream[],
  context: JobContext,
): Promise<void> {
  const { task, meter, stages, signal, partMemory } = context;
  const paths = await allOrNone(
    signal,
    streams.map((stream, index) => (shared) => fetchWhole(stream, `source-${index}`, context, shared)),
  );
  meter.fetchedAll();
  stages.end("download");

  stages.begin("mux");
  const output = await makeOutput(paths, found.source.durationSeconds, context);
  const plan = planSidecars(found.source.listed, output.sources, task.options);
  const sidecars = await collectSidecars(plan, paths, context);
  stages.end("mux");

  stages.begin("upload");
  const { path, bytes, media, container, hasVideo } = output;
  const facts = { file_size: bytes, media };
  await uploadWithSidecars(plan, sidecars, {
    ...context,
    job: task,
    open(shared) {
      meter.uploadBegins();
      return fileBody(path, facts, partMemory.openAccount(), shared);
    },
    title: titleOf(found, output.title),
    extension: container,
    contentType: contentType(container, hasVideo),
    onBytes: (arrived) => meter.uploaded(arrived, bytes),
  });
  stages.end("upload");
}

async function fetchWhole(
  stream: SourceStream,
  name: string,
  { folder }: JobContext,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, name);
  signal.addEventListener("abort", () => stream.stop(signal.reason), { once: true });
  await pipeline(stream.chunks(), createWriteStream(path));
  return path;
}
