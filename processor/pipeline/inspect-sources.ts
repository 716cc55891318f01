import { expectedDuration, type DurationRange } from "../verify/expected-duration.ts";
import { planOutput, type OutputPlan } from "../mux/plan-output.ts";
import { probeMedia } from "../mux/probe-media.ts";
import type { Finished } from "../verify/verify-output.ts";
import { verifySource } from "../verify/verify-source.ts";
import type { JobContext } from "./job-context.ts";

/** Fetched files, whole, and what has to become of them. */
export interface InspectedSources {
  readonly inputs: readonly Finished[];
  readonly plan: OutputPlan;
  /** How long what is made of them has to play. */
  readonly duration: DurationRange;
}

/**
 * Looks at fetched files, and plans what is made of them. Rejects with JobFailure for one that is cut off or is no
 * media, and with what `planOutput` throws.
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
