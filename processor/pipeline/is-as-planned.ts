import { isDeepStrictEqual } from "node:util";
import { inputDelays } from "../mux/input-delays.ts";
import type { AudioPlan, OutputPlan, VideoPlan } from "../mux/plan-output.ts";
import { sidecarSuffixes, type SidecarPlan } from "../sidecars/plan-sidecars.ts";
import type { InspectedSources } from "./inspect-sources.ts";
import type { StreamedPlan } from "./plan-streamed.ts";

/** Start times read from a file's beginning are nearly as accurate as those of the whole file. */
const toleratedDelaySeconds = 0.001;

/**
 * Whether the whole source leads to the same output that was planned from its beginning, with no additional sidecar
 * files.
 */
export function isAsPlanned(
  planned: StreamedPlan,
  { plan, inputs }: InspectedSources,
  sidecarPlan: SidecarPlan,
): boolean {
  const probed = inputs.map((input) => input.probed);
  const areKindsRight = probed.every(({ kind }, index) => kind === planned.kinds[index]);
  const areDelaysRight = inputDelays(probed).every(
    (delay, index) => Math.abs(delay - (planned.delays[index] ?? 0)) <= toleratedDelaySeconds,
  );
  const reserved = new Set(sidecarSuffixes(planned.sidecarPlan));
  const areReserved = sidecarSuffixes(sidecarPlan).every((suffix) => reserved.has(suffix));
  const isSameFile = isDeepStrictEqual(choicesOf(planned.plan), choicesOf(plan));
  return areKindsRight && areDelaysRight && areReserved && isSameFile;
}

function choicesOf({ container, video, audio }: OutputPlan): unknown[] {
  return [container, video && choiceOf(video), audio && choiceOf(audio)];
}

/** Everything except what a stream's beginning cannot reliably tell, such as its length. */
function choiceOf({ stream, ...handling }: VideoPlan | AudioPlan): unknown {
  return { ...handling, index: stream.index, codec: stream.codec };
}
