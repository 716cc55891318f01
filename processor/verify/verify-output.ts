import { stat } from "node:fs/promises";
import { followFile } from "../containers/follow-file.ts";
import type { Media } from "../../contracts/file-facts.ts";
import { JobFailure } from "../pipeline/job.ts";
import { decodeSamples } from "./decode-samples.ts";
import { durationProblem, saysDuration, type DurationRange } from "./expected-duration.ts";
import { hasIndex } from "../mux/ffmpeg-arguments.ts";
import type { ProbedMedia, Workshop } from "../mux/media.ts";
import { playsFromStart, walkBoxes } from "../containers/mp4/mp4-boxes.ts";
import { kindOfContainer } from "../mux/passes-through.ts";
import { probeMedia } from "../mux/probe-media.ts";
import { playedSeconds } from "./played-seconds.ts";
import type { AudioPlan, OutputPlan, VideoPlan } from "../mux/plan-output.ts";

export interface Verified {
  readonly fileBytes: number;
  readonly media: Media;
}

/** A file and what a probe found in it. */
export interface Finished {
  readonly path: string;
  readonly probed: ProbedMedia;
}

/**
 * Verifies the finished file: it is complete, has exactly the planned streams, which look right or decode wherever they
 * are sampled, and has the right duration. Rejects with JobFailure `invalid_media` otherwise.
 */
export async function verifyOutput(
  path: string,
  plan: OutputPlan,
  duration: DurationRange,
  workshop: Workshop,
): Promise<Verified> {
  const { size: fileBytes } = await stat(path);
  if (hasIndex(plan.container) && !playsFromStart(await walkBoxes(path))) {
    throw new JobFailure("invalid_media", "the file is incomplete");
  }
  const followed = await followFile(path);
  const probed = followed ?? (await probeMedia(path, workshop));
  const { kind } = probed;
  const seconds =
    followed !== null || saysDuration(probed)
      ? probed.durationSeconds
      : await playedSeconds({ path, kind }, workshop);
  const problem = streamProblem(probed, plan) ?? durationProblem(seconds, duration);
  if (problem !== null) throw new JobFailure("invalid_media", problem);
  if (followed === null) await decodeSamples(path, probed, workshop);
  return { fileBytes, media: mediaOf(probed, plan, seconds, fileBytes) };
}

/** What is wrong with the file's streams, or null. */
export function streamProblem(probed: ProbedMedia, plan: OutputPlan): string | null {
  if (probed.kind !== kindOfContainer(plan.container)) return "the file is of another kind than asked";
  if (probed.video.length !== Number(plan.video !== null)) return "the video is missing";
  if (probed.audio.length !== Number(plan.audio !== null)) return "the audio is missing";
  const [video] = probed.video;
  const [audio] = probed.audio;
  if (video && plan.video && video.codec !== codecOf(plan.video)) return "the video is of another codec";
  if (audio && plan.audio && audio.codec !== codecOf(plan.audio)) return "the audio is of another codec";
  return null;
}

function codecOf(plan: VideoPlan | AudioPlan): string {
  return plan.handling === "copy" ? plan.stream.codec : plan.codec;
}

/** What the finished file contains, as its job shows it. */
export function mediaOf(
  { video, audio }: ProbedMedia,
  { container }: OutputPlan,
  seconds: number | null,
  fileBytes: number,
): Media {
  return {
    container,
    duration_seconds: seconds,
    width: video[0]?.width ?? null,
    height: video[0]?.height ?? null,
    video_codec: video[0] ? nameOf(video[0]) : null,
    audio_codec: audio[0] ? nameOf(audio[0]) : null,
    bitrate_bps: seconds ? Math.round((fileBytes * 8) / seconds) : null,
  };
}

function nameOf({ codec, codecName }: { codec: string; codecName: string }): string {
  return codec === "other" ? codecName : codec;
}
