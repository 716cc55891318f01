import { expectedDuration, type DurationRange } from "../verify/expected-duration.ts";
import { readTransportParts } from "../containers/mpegts/transport-parts.ts";
import type { ProbedMedia } from "../mux/media.ts";
import { planOutput, type OutputPlan } from "../mux/plan-output.ts";
import { probeMedia } from "../mux/probe-media.ts";
import type { Finished } from "../verify/verify-output.ts";
import { filePlaying, statesEnd, type VerifiedFile } from "../verify/file-playing.ts";
import { togetherProblem } from "../verify/playing-together.ts";
import { verifyCopyable } from "../verify/verify-copyable.ts";
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
 * Inspects downloaded files and plans the output. Rejects with JobFailure if one is truncated or not media, they do not
 * belong together, or the output cannot hold them, and with what `planOutput` throws.
 */
export async function inspectSources(
  files: readonly FetchedFile[],
  sourceSeconds: number | null,
  context: JobContext,
): Promise<InspectedSources> {
  const inputs = await Promise.all(files.map((file) => readWhole(file, context)));
  if (inputs.length > 1) await verifyTogether(inputs, sourceSeconds, context);
  const probed = inputs.map((input) => input.probed);
  const plan = planOutput(probed, context.task.options);
  await verifyCopyable(inputs, plan);
  const ends = await Promise.all(inputs.map(statesEnd));
  return { inputs, plan, duration: expectedDuration(probed, plan, sourceSeconds, !ends.includes(false)) };
}

async function verifyTogether(
  inputs: readonly VerifiedFile[],
  sourceSeconds: number | null,
  context: JobContext,
): Promise<void> {
  const playing = await Promise.all(inputs.map((input) => filePlaying(input, context)));
  const problem = togetherProblem(playing, sourceSeconds);
  if (problem !== null) throw new JobFailure("invalid_media", problem);
}

/** Probes and verifies a file. The header of audio alone may describe only a part of it: then the measured duration counts. */
async function readWhole({ path, listedSeconds }: FetchedFile, context: JobContext): Promise<VerifiedFile> {
  const probed = await withParts(path, await probeMedia(path, context));
  const measuredSeconds = await verifySource(path, probed, context);
  const file = { path, probed, measuredSeconds, listedSeconds: listedSeconds() };
  return measuredSeconds === null || probed.video.length > 0
    ? file
    : { ...file, probed: lasting(probed, measuredSeconds) };
}

/** What the whole file tells that a probe does not: whether its parts, as of HLS with advertisements, are alike. */
async function withParts(path: string, probed: ProbedMedia): Promise<ProbedMedia> {
  if (probed.kind !== "mpegts") return probed;
  const { changes, isReplaced } = await readTransportParts(path, probed.video[0]?.codec ?? null);
  if (isReplaced)
    throw new JobFailure("invalid_media", "the media consists of parts that do not fit together");
  return {
    ...probed,
    video: probed.video.map((stream) => ({ ...stream, isUniform: !changes.video })),
    audio: probed.audio.map((stream) => ({ ...stream, isUniform: !changes.audio })),
  };
}

function lasting(probed: ProbedMedia, durationSeconds: number): ProbedMedia {
  return {
    ...probed,
    durationSeconds,
    audio: probed.audio.map((stream) => ({ ...stream, durationSeconds })),
  };
}
