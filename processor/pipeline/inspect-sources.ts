import { expectedDuration, type DurationRange } from "../verify/expected-duration.ts";
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
    paths.map(async (path) => ({ path, probed: await probeMedia(path, context) })),
  );
  await Promise.all(inputs.map(({ path, probed }) => verifySource(path, probed, context)));
  const probed = inputs.map((input) => input.probed);
  const plan = planOutput(probed, context.task.options);
  return { inputs, plan, duration: expectedDuration(probed, plan, sourceSeconds) };
}
