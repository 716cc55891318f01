import { isDeepStrictEqual } from "node:util";
import { headBytes } from "../mux/index-room.ts";
import { inputDelays } from "../mux/input-delays.ts";
import type { AudioPlan, OutputPlan, VideoPlan } from "../mux/plan-output.ts";
import type { LocalSidecar } from "../sidecars/collect-sidecars.ts";
import { sidecarSuffixes, type SidecarPlan } from "../sidecars/plan-sidecars.ts";
import { uploadWithSidecars } from "../sidecars/upload-with-sidecars.ts";
import { contentType } from "../upload/content-type.ts";
import { growingBody } from "../upload/growing-body.ts";
import { partBytesFor } from "../upload/part-plan.ts";
import { titleOf, type FoundSource } from "./find-source.ts";
import type { InspectedSources } from "./inspect-sources.ts";
import type { JobContext } from "./job-context.ts";
import type { MainFileFacts } from "./job.ts";
import { decodeEncoded, verifyFile } from "./make-output.ts";
import { NotAsPlanned } from "./not-as-planned.ts";
import type { StreamedPlan } from "./plan-streamed.ts";

/** A file that is being made. */
export interface Making {
  readonly streamed: StreamedPlan;
  /** It exists. */
  readonly path: string;
  /** Its bytes, once it is finished. */
  readonly made: Promise<number>;
  /** What it is made of, once all of that is there. */
  readonly inspected: Promise<InspectedSources>;
  /** What is to lie beside it. */
  readonly sidecars: Promise<readonly LocalSidecar[]>;
}

/** Stores a file while it is made, and verifies it before it can appear. Rejects with NotAsPlanned where that fails. */
export async function storeStreamed(making: Making, found: FoundSource, context: JobContext): Promise<void> {
  const { task, stages, meter, partMemory, places } = context;
  const { streamed, path, made, sidecars } = making;
  const { plan, isPassed, indexRoom, title, expectedBytes, beside } = streamed;
  let fileBytes = expectedBytes;
  const finish = async () => {
    fileBytes = await made;
  };
  const finished = finish();
  // Told to whoever reads the parts; there may be nobody yet.
  finished.catch(() => {});
  const file = {
    path,
    headBytes: isPassed ? 0 : headBytes(indexRoom),
    finished,
    facts: () => factsOf(making, context),
  };
  const partBytes = partBytesFor(expectedBytes ?? task.limits.source_file_bytes);
  await places.uploads.within(context.signal, () =>
    uploadWithSidecars(beside, () => sidecars, {
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

async function factsOf(
  { streamed, path, inspected, sidecars }: Making,
  context: JobContext,
): Promise<MainFileFacts> {
  try {
    const sources = await inspected;
    const areReserved = areSuffixesOf(streamed.beside, await sidecars);
    if (!areReserved || !isAsPlanned(streamed, sources)) throw new Error("the whole is not as its beginning");
    await decodeEncoded(sources.inputs, sources.plan, context);
    return await verifyFile(path, sources, context);
  } catch (error) {
    context.signal.throwIfAborted();
    throw new NotAsPlanned("the file does not pass", { cause: error });
  }
}

function areSuffixesOf(beside: SidecarPlan, sidecars: readonly LocalSidecar[]): boolean {
  const reserved = new Set(sidecarSuffixes(beside));
  return sidecars.every(({ suffix }) => reserved.has(suffix));
}

/** Beginnings tell start times nearly as well as whole files. */
const toleratedDelaySeconds = 0.001;

function isAsPlanned(
  { plan, kinds, delays }: StreamedPlan,
  { plan: whole, inputs }: InspectedSources,
): boolean {
  const probed = inputs.map((input) => input.probed);
  const areKindsRight = probed.every(({ kind }, index) => kind === kinds[index]);
  const areDelaysRight = inputDelays(probed).every(
    (delay, index) => Math.abs(delay - (delays[index] ?? 0)) <= toleratedDelaySeconds,
  );
  return areKindsRight && areDelaysRight && isDeepStrictEqual(choicesOf(plan), choicesOf(whole));
}

function choicesOf({ container, video, audio }: OutputPlan): unknown[] {
  return [container, video && choiceOf(video), audio && choiceOf(audio)];
}

/** All but what a beginning does not tell for sure of a stream, as its length. */
function choiceOf({ stream, ...handling }: VideoPlan | AudioPlan): unknown {
  return { ...handling, index: stream.index, codec: stream.codec };
}
