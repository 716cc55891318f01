import { isChained } from "../containers/ogg/chained-ogg.ts";
import type { OutputPlan } from "../mux/plan-output.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { Finished } from "./verify-output.ts";

/**
 * Vorbis streams that follow each other in an Ogg file each begin with settings of their own; other containers have room
 * for one. Rejects with JobFailure `format_not_available` if the plan is to copy them into one of those.
 */
export async function verifyCopyable(
  inputs: readonly Finished[],
  { container, audio }: OutputPlan,
): Promise<void> {
  const input = audio === null ? undefined : inputs[audio.input];
  if (audio?.handling !== "copy" || input?.probed.kind !== "ogg") return;
  if (audio.stream.codec !== "vorbis" || container === "ogg" || !(await isChained(input.path))) return;
  throw new JobFailure(
    "format_not_available",
    `the audio consists of several parts, which ${container} cannot hold without re-encoding`,
  );
}
