import { join } from "node:path";
import type { Media } from "../../contracts/file-facts.ts";
import type { Container } from "../mux/container-codecs.ts";
import { expectedSeconds, saysDuration } from "../mux/expected-duration.ts";
import { hasIndex } from "../mux/ffmpeg-arguments.ts";
import type { ProbedMedia } from "../mux/media.ts";
import { walkBoxes } from "../mux/mp4-boxes.ts";
import { muxMedia } from "../mux/mux-media.ts";
import { passesThrough } from "../mux/passes-through.ts";
import { planOutput, type OutputPlan } from "../mux/plan-output.ts";
import { playedSeconds } from "../mux/played-seconds.ts";
import { probeMedia } from "../mux/probe-media.ts";
import { durationProblem, verifyOutput } from "../mux/verify-output.ts";
import type { FetchedSource } from "./fetch-source.ts";
import type { JobContext } from "./job-context.ts";
import { JobFailure } from "./job.ts";

/** The finished file, verified. */
export interface OutputFile {
  readonly path: string;
  readonly bytes: number;
  readonly media: Media;
  /** Also the file's extension. */
  readonly container: Container;
  readonly hasVideo: boolean;
  readonly title: string | null;
}

interface Input {
  readonly path: string;
  readonly probed: ProbedMedia;
}

/** Makes the file that was asked for of the fetched ones, or takes the one there is where it already is that file. */
export async function makeOutput(fetched: FetchedSource, context: JobContext): Promise<OutputFile> {
  const { task, meter } = context;
  const inputs = await Promise.all(
    fetched.paths.map(async (path) => ({ path, probed: await probeMedia(path, { decode: false }, context) })),
  );
  const probed = inputs.map((input) => input.probed);
  const plan = planOutput(probed, task.options);
  const seconds = expectedSeconds(probed, plan, fetched.durationSeconds);

  const path = (await asItIs(inputs, plan, context)) ?? (await mux(inputs, plan, seconds, context));
  const { fileBytes, media } = await verifyOutput(path, plan, seconds, context);
  meter.muxed(1);
  return {
    path,
    bytes: fileBytes,
    media,
    container: plan.container,
    hasVideo: plan.video !== null,
    title: titleOf(fetched, probed),
  };
}

/** The path of the one source file where it can be stored as it is, else null. */
async function asItIs(
  inputs: readonly Input[],
  plan: OutputPlan,
  context: JobContext,
): Promise<string | null> {
  const [first] = inputs;
  if (first === undefined) return null;
  const { path, probed } = first;
  const boxes = hasIndex(plan.container) ? await walkBoxes(path) : null;
  const all = inputs.map((input) => input.probed);
  if (!passesThrough(all, plan, boxes)) return null;
  // The boxes of an mp4 tell that it is whole; of other kinds only their end does.
  if (boxes === null && saysDuration(probed)) {
    const played = await playedSeconds({ path, kind: probed.kind }, context);
    const problem = durationProblem(played, probed.durationSeconds);
    if (problem !== null) throw new JobFailure("invalid_media", problem);
  }
  return path;
}

async function mux(
  inputs: readonly Input[],
  plan: OutputPlan,
  seconds: number | null,
  context: JobContext,
): Promise<string> {
  const outputPath = join(context.folder, `output.${plan.container}`);
  const files = inputs.map(({ path, probed }) => ({ path, kind: probed.kind }));
  const onSeconds = (written: number) => context.meter.muxed(seconds ? written / seconds : 0);
  await muxMedia({ inputs: files, plan, outputPath, onSeconds }, context);
  return outputPath;
}

/** The address of a media file is a poorer title than the one in the file; what a page says is a better one. */
function titleOf({ title, isDirect }: FetchedSource, probed: readonly ProbedMedia[]): string | null {
  const inFile = probed.map((media) => media.title).find((text) => text !== null) ?? null;
  return isDirect ? (inFile ?? title) : (title ?? inFile);
}
