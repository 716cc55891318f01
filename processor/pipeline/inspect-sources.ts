import { expectedDuration, type DurationRange } from "../verify/expected-duration.ts";
import type { ProbedMedia } from "../mux/media.ts";
import { planOutput, type OutputPlan } from "../mux/plan-output.ts";
import { probeMedia } from "../mux/probe-media.ts";
import type { Finished } from "../verify/verify-output.ts";
import { filePlaying } from "../verify/file-playing.ts";
import { togetherProblem } from "../verify/playing-together.ts";
import { verifySource } from "../verify/verify-source.ts";
import type { JobContext } from "./job-context.ts";
import { JobFailure } from "./job.ts";
import type { SourceStream } from "./source-stream.ts";

/** A completely downloaded source stream. */
export interface FetchedFile extends Pick<SourceStream, "listedSeconds"> {
  readonly path: string;
}

/** Completely downloaded files, and what is to be made of them. */
export interface InspectedSources {
  readonly inputs: readonly Finished[];
  readonly plan: OutputPlan;
  /** How long the finished file has to play. */
  readonly duration: DurationRange;
}

/**
 * Inspects downloaded files and plans the output. Rejects with JobFailure if one is truncated or not media or they do not
 * belong together, and with what `planOutput` throws.
 */
export async function inspectSources(
  files: readonly FetchedFile[],
  sourceSeconds: number | null,
  context: JobContext,
): Promise<InspectedSources> {
  const inputs = await Promise.all(
    files.map(async ({ path }) => ({ path, probed: await readWhole(path, context) })),
  );
  if (inputs.length > 1) await verifyTogether(inputs, files, sourceSeconds, context);
  const probed = inputs.map((input) => input.probed);
  const plan = planOutput(probed, context.task.options);
  return { inputs, plan, duration: expectedDuration(probed, plan, sourceSeconds) };
}

async function verifyTogether(
  inputs: readonly Finished[],
  files: readonly FetchedFile[],
  sourceSeconds: number | null,
  context: JobContext,
): Promise<void> {
  const playing = await Promise.all(
    inputs.map((input, index) => filePlaying(input, files[index]?.listedSeconds() ?? null, context)),
  );
  const problem = togetherProblem(playing, sourceSeconds);
  if (problem !== null) throw new JobFailure("invalid_media", problem);
}

/** Probes and verifies a file. The header of audio alone may describe only a part of it: then the measured duration counts. */
async function readWhole(path: string, context: JobContext): Promise<ProbedMedia> {
  const probed = await probeMedia(path, context);
  const durationSeconds = await verifySource(path, probed, context);
  if (durationSeconds === null || probed.video.length > 0) return probed;
  return {
    ...probed,
    durationSeconds,
    audio: probed.audio.map((stream) => ({ ...stream, durationSeconds })),
  };
}
