import type { MainFileFacts } from "../pipeline/job.ts";
import { Doubtful } from "../direct/doubtful.ts";
import { durationProblem } from "../verify/expected-duration.ts";
import { readIndex } from "../containers/mp4/read-index.ts";
import { mediaOf, streamProblem } from "../verify/verify-output.ts";
import type { RemuxPlan } from "./plan-remux.ts";

/**
 * Reads what was written in front of the media as anybody would, and holds it against the plan and the bytes that are
 * there. Throws Doubtful where they do not agree.
 */
export async function verifyRemuxed(
  head: Buffer,
  { plan, duration }: Pick<RemuxPlan, "plan" | "duration">,
  fileBytes: number,
): Promise<MainFileFacts> {
  const index = await readIndex(head);
  if (index === null) throw new Doubtful("the new index cannot be read");
  const { probed, samples } = index;
  const problem = streamProblem(probed, plan) ?? durationProblem(probed.durationSeconds, duration);
  if (problem !== null) throw new Doubtful(problem);
  if (samples.endOffset !== fileBytes) throw new Doubtful("the new index tells of other media");
  return { file_size: fileBytes, media: mediaOf(probed, plan, probed.durationSeconds, fileBytes) };
}
