import { join } from "node:path";
import { countOutput } from "../disk/count-output.ts";
import { decodeSamples } from "../verify/decode-samples.ts";
import { hasIndex } from "../mux/ffmpeg-arguments.ts";
import { inputDelays } from "../mux/input-delays.ts";
import { walkBoxes } from "../containers/mp4/mp4-boxes.ts";
import { muxMedia } from "../mux/mux-media.ts";
import { passesThrough } from "../mux/passes-through.ts";
import { isEncoded, type OutputPlan } from "../mux/plan-output.ts";
import { verifyOutput, type Finished } from "../verify/verify-output.ts";
import type { InspectedSources } from "./inspect-sources.ts";
import type { JobContext } from "./job-context.ts";
import type { MainFileFacts } from "./job.ts";

/** The finished, verified file. */
export interface OutputFile {
  readonly path: string;
  readonly facts: MainFileFacts;
}

/** Makes the planned file from the downloaded ones, or takes the only one as it is if it already is that file. */
export async function makeOutput(sources: InspectedSources, context: JobContext): Promise<OutputFile> {
  const path = (await isPassed(sources)) ? pathOf(sources) : await mux(sources, context);
  const facts = await verifyFile(path, sources, context);
  context.meter.muxed(1);
  return { path, facts };
}

/** Whether the only source file can be stored unchanged. */
async function isPassed({ inputs, plan }: InspectedSources): Promise<boolean> {
  const [first] = inputs;
  if (first === undefined) return false;
  const boxes = hasIndex(plan.container) ? await walkBoxes(first.path) : null;
  return passesThrough(
    inputs.map(({ probed }) => probed),
    plan,
    boxes,
  );
}

function pathOf({ inputs: [first] }: InspectedSources): string {
  if (first === undefined) throw new Error("there is no source");
  return first.path;
}

async function mux(sources: InspectedSources, context: JobContext): Promise<string> {
  const { inputs, plan, duration } = sources;
  const outputPath = join(context.folder, `output.${plan.container}`);
  await decodeEncoded(inputs, plan, context);
  const delays = inputDelays(inputs.map(({ probed }) => probed));
  const files = inputs.map(({ path, probed }, index) => ({
    path,
    kind: probed.kind,
    delaySeconds: delays[index] ?? 0,
  }));
  const seconds = duration.most ?? Math.max(...inputs.map(({ probed }) => probed.durationSeconds ?? 0));
  const onSeconds = (written: number) =>
    context.meter.muxed(seconds > 0 ? Math.min(1, written / seconds) : 0);
  const outputMaxBytes = context.task.limits.source_file_bytes;
  const make = () =>
    countOutput(outputPath, context.disk, context.signal, (signal) =>
      muxMedia({ inputs: files, plan, outputPath, outputMaxBytes, onSeconds }, { ...context, signal }),
    );
  await (isEncoded(plan) ? context.places.encodes.within(context.signal, make) : make());
  return outputPath;
}

/** Re-encoded output always decodes, no matter how broken its input was, so the input has to be decoded instead. */
export async function decodeEncoded(
  inputs: readonly Finished[],
  plan: OutputPlan,
  context: JobContext,
): Promise<void> {
  if (!isEncoded(plan)) return;
  await Promise.all(inputs.map(({ path, probed }) => decodeSamples(path, probed, context)));
}

/** Verifies the file made from the sources and returns its facts. */
export async function verifyFile(
  path: string,
  { plan, duration }: InspectedSources,
  context: JobContext,
): Promise<MainFileFacts> {
  const { fileBytes, media } = await verifyOutput(path, plan, duration, context);
  return { file_size: fileBytes, media };
}
