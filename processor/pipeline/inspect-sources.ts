import { expectedDuration, type DurationRange } from "../verify/expected-duration.ts";
import type { ProbedMedia } from "../mux/media.ts";
import { planOutput, type OutputPlan } from "../mux/plan-output.ts";
import { probeMedia } from "../mux/probe-media.ts";
import type { Finished } from "../verify/verify-output.ts";
import { verifySource } from "../verify/verify-source.ts";
import type { JobContext } from "./job-context.ts";

/** Completely downloaded files, and what is to be made of them. */
export interface InspectedSources {
  readonly inputs: readonly Finished[];
  readonly plan: OutputPlan;
  /** How long the finished file has to play. */
  readonly duration: DurationRange;
}

/**
 * Inspects downloaded files and plans the output. Rejects with JobFailure if one is truncated or not media, and with
 * what `planOutput` throws.
 */
export async function inspectSources(
  paths: readonly string[],
  sourceSeconds: number | null,
  context: JobContext,
): Promise<InspectedSources> {
  const inputs = await Promise.all(
    paths.map(async (path) => ({ path, probed: await readWhole(path, context) })),
  );
  const probed = inputs.map((input) => input.probed);
  const plan = planOutput(probed, context.task.options);
  return { inputs, plan, duration: expectedDuration(probed, plan, sourceSeconds) };
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
