import { ffmpegHeadBytes } from "../mux/ffmpeg-head.ts";
import type { LocalSidecar } from "../sidecars/local-sidecar.ts";
import { uploadWithSidecars } from "../sidecars/upload-with-sidecars.ts";
import { contentType } from "../upload/content-type.ts";
import { growingBody } from "../upload/growing-body.ts";
import { partBytesFor } from "../upload/part-plan.ts";
import { titleOf, type FoundSource } from "./find-source.ts";
import type { JobContext } from "./job-context.ts";
import type { MainFileFacts } from "./job.ts";
import type { StreamedPlan } from "./plan-streamed.ts";

/** A file that is being made. */
export interface Making {
  readonly streamed: StreamedPlan;
  /** Exists already. */
  readonly path: string;
  /** The file's size in bytes, once it is finished. */
  readonly made: Promise<number>;
  /** The file's facts, once it is verified. */
  readonly facts: Promise<MainFileFacts>;
  /** The sidecars to store next to it. */
  readonly sidecars: Promise<readonly LocalSidecar[]>;
}

/**
 * Stores a file while it is being made; it appears once it is verified. Rejects with whatever it waits for rejects
 * with.
 */
export async function storeStreamed(making: Making, found: FoundSource, context: JobContext): Promise<void> {
  const { task, stages, meter, partMemory, places } = context;
  const { streamed, path, made, facts, sidecars } = making;
  const { plan, isPassed, indexRoom, title, expectedBytes, sidecarPlan } = streamed;
  let fileBytes = expectedBytes;
  const finish = async () => {
    fileBytes = await made;
  };
  const finished = finish();
  // The reader of the parts gets the error; there may be none yet.
  finished.catch(() => {});
  const file = {
    path,
    headBytes: isPassed ? 0 : ffmpegHeadBytes(indexRoom),
    finished,
    facts: () => facts,
  };
  const partBytes = partBytesFor(expectedBytes ?? task.limits.source_file_bytes);
  await places.uploads.within(context.signal, () =>
    uploadWithSidecars(sidecarPlan, () => sidecars, {
      ...context,
      job: task,
      open(signal) {
        stages.begin("upload");
        meter.uploadBegins();
        return growingBody(file, partBytes, partMemory.openAccount(), signal);
      },
      title: titleOf(found, title),
      extension: plan.container,
      contentType: contentType(plan.container, plan.video !== null),
      onBytes: (bytes) => meter.uploaded(bytes, fileBytes),
    }),
  );
  stages.end("upload");
  meter.uploadedAll();
}
