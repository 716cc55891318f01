import { join } from "node:path";
import type { Media } from "../../contracts/file-facts.ts";
import type { Container } from "../mux/container-codecs.ts";
import { decodeSamples } from "../mux/decode-samples.ts";
import { expectedDuration, type DurationRange } from "../mux/expected-duration.ts";
import { hasIndex } from "../mux/ffmpeg-arguments.ts";
import { inputDelays } from "../mux/input-delays.ts";
import type { ProbedMedia } from "../mux/media.ts";
import { walkBoxes } from "../mux/mp4-boxes.ts";
import { muxMedia } from "../mux/mux-media.ts";
import { passesThrough } from "../mux/passes-through.ts";
import { planOutput, type OutputPlan } from "../mux/plan-output.ts";
import { probeMedia } from "../mux/probe-media.ts";
import { verifyOutput, type Finished } from "../mux/verify-output.ts";
import { verifySource } from "../mux/verify-source.ts";
import type { JobContext } from "./job-context.ts";

/** The finished file, verified. */
export interface OutputFile {
  readonly path: string;
  readonly bytes: number;
  readonly media: Media;
  /** Also the file's extension. */
  readonly container: Container;
  readonly hasVideo: boolean;
  /** As tagged in what it was made of. */
  readonly title: string | null;
  /** What it was made of. */
  readonly sources: readonly ProbedMedia[];
}

/** Makes the file that was asked for of the fetched ones, or takes the one there is where it already is that file. */
export async function makeOutput(
  paths: readonly string[],
  sourceSeconds: number | null,
  context: JobContext,
): Promise<OutputFile> {
  const { task, meter } = context;
  const inputs = await Promise.all(paths.map((path) => probe(path, context)));
  await Promise.all(inputs.map((input) => verifySource(input.path, input.probed, context)));
  const probed = inputs.map((input) => input.probed);
  const plan = planOutput(probed, task.options);
  const duration = expectedDuration(probed, plan, sourceSeconds);

  const finished = (await asItIs(inputs, plan)) ?? (await mux(inputs, plan, duration, context));
  const { fileBytes, media } = await verifyOutput(finished, plan, duration, context);
  meter.muxed(1);
  return {
    path: finished.path,
    bytes: fileBytes,
    media,
    container: plan.container,
    hasVideo: plan.video !== null,
    title: probed.find(({ title }) => title !== null)?.title ?? null,
    sources: probed,
  };
}

async function probe(path: string, context: JobContext): Promise<Finished> {
  return { path, probed: await probeMedia(path, context) };
}

/** The one source file where it can be stored as it is, else null. */
async function asItIs(inputs: readonly Finished[], plan: OutputPlan): Promise<Finished | null> {
  const [first] = inputs;
  if (first === undefined) return null;
  const boxes = hasIndex(plan.container) ? await walkBoxes(first.path) : null;
  const all = inputs.map((input) => input.probed);
  if (!passesThrough(all, plan, boxes)) return null;
  return first;
}

async function mux(
  inputs: readonly Finished[],
  plan: OutputPlan,
  { most }: DurationRange,
  context: JobContext,
): Promise<Finished> {
  const outputPath = join(context.folder, `output.${plan.container}`);
  // What is encoded decodes ever after, whatever it was made of.
  if (isEncoded(plan))
    await Promise.all(inputs.map(({ path, probed }) => decodeSamples(path, probed, context)));
  const delays = inputDelays(inputs.map(({ probed }) => probed));
  const files = inputs.map(({ path, probed }, index) => ({
    path,
    kind: probed.kind,
    delaySeconds: delays[index] ?? 0,
  }));
  const whole = most ?? Math.max(...inputs.map(({ probed }) => probed.durationSeconds ?? 0));
  const onSeconds = (written: number) => context.meter.muxed(whole > 0 ? Math.min(1, written / whole) : 0);
  await muxMedia({ inputs: files, plan, outputPath, onSeconds }, context);
  return probe(outputPath, context);
}

function isEncoded({ video, audio }: OutputPlan): boolean {
  return video?.handling === "encode" || audio?.handling === "encode";
}
