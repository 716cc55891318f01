import { isDeepStrictEqual } from "node:util";
import { inputDelays } from "../mux/input-delays.ts";
import type { AudioPlan, OutputPlan, VideoPlan } from "../mux/plan-output.ts";
import { sidecarSuffixes, type SidecarPlan } from "../sidecars/plan-sidecars.ts";
import type { InspectedSources } from "./inspect-sources.ts";
import type { StreamedPlan } from "./plan-streamed.ts";

/** Beginnings tell start times nearly as well as whole files. */
const toleratedDelaySeconds = 0.001;

/**
 * Whether the whole source asks for the very file that was planned by its beginning, and for nothing beside it that
 * was not reckoned with.
 */
export function isAsPlanned(
  planned: StreamedPlan,
  { plan, inputs }: InspectedSources,
  beside: SidecarPlan,
): boolean {
  const probed = inputs.map((input) => input.probed);
  const areKindsRight = probed.every(({ kind }, index) => kind === planned.kinds[index]);
  const areDelaysRight = inputDelays(probed).every(
    (delay, index) => Math.abs(delay - (planned.delays[index] ?? 0)) <= toleratedDelaySeconds,
  );
  const reserved = new Set(sidecarSuffixes(planned.beside));
  const areReserved = sidecarSuffixes(beside).every((suffix) => reserved.has(suffix));
  const isSameFile = isDeepStrictEqual(choicesOf(planned.plan), choicesOf(plan));
  return areKindsRight && areDelaysRight && areReserved && isSameFile;
}

function choicesOf({ container, video, audio }: OutputPlan): unknown[] {
  return [container, video && choiceOf(video), audio && choiceOf(audio)];
}

/** All but what a beginning does not tell for sure of a stream, as its length. */
function choiceOf({ stream, ...handling }: VideoPlan | AudioPlan): unknown {
  return { ...handling, index: stream.index, codec: stream.codec };
}
