import type { MainFileFacts } from "../pipeline/job.ts";
import { Doubtful } from "../direct/doubtful.ts";
import { readIndex } from "../containers/mp4/read-index.ts";
import { durationProblem } from "../verify/expected-duration.ts";
import { togetherProblem } from "../verify/playing-together.ts";
import { mediaOf, streamProblem } from "../verify/verify-output.ts";
import type { RemuxPlan } from "./plan-remux.ts";
import type { Finished } from "./remux-streams.ts";

/** What was received of the streams, and their minimum durations according to their segment lists, both in order. */
export interface Remuxed {
  readonly finished: Pick<Finished, "mediaBytes" | "streams">;
  readonly listedSeconds: readonly (number | null)[];
}

/**
 * Reads what was written before the media as any player would, and compares it with the plan and the actual bytes, and
 * the streams with each other. Throws Doubtful if they do not agree.
 */
export async function verifyRemuxed(
  head: Buffer,
  { plan, duration, headBytes }: Pick<RemuxPlan, "plan" | "duration" | "headBytes">,
  { finished, listedSeconds }: Remuxed,
): Promise<MainFileFacts> {
  const fileBytes = headBytes + finished.mediaBytes;
  const playing = finished.streams.map(({ seconds, isIndexed }, index) => ({
    seconds,
    listedSeconds: listedSeconds[index] ?? null,
    isSure: isIndexed,
  }));
  const index = await readIndex(head);
  if (index === null) throw new Doubtful("the new index cannot be read");
  const { probed, samples } = index;
  const problem =
    streamProblem(probed, plan) ??
    durationProblem(probed.durationSeconds, duration) ??
    togetherProblem(playing, duration.least);
  if (problem !== null) throw new Doubtful(problem);
  if (samples.endOffset !== fileBytes) throw new Doubtful("the new index does not match the media");
  return { file_size: fileBytes, media: mediaOf(probed, plan, probed.durationSeconds, fileBytes) };
}
