import type { EncodingOptions } from "../../../contracts/encoding-options.ts";
import type { AudioStream, ProbedMedia, VideoStream } from "../../../processor/mux/media.ts";
import { sampleTask } from "../sample-task.ts";

/** The default options, except for these. */
export function options(given: Partial<EncodingOptions> = {}): EncodingOptions {
  return { ...sampleTask().options, ...given };
}

export function video(codec: VideoStream["codec"], given: Partial<VideoStream> = {}): VideoStream {
  return {
    index: 0,
    codecName: codec,
    codec,
    isUniform: true,
    saysOrder: true,
    saysParameters: true,
    width: 640,
    height: 360,
    framesPerSecond: 25,
    isDefault: false,
    bitrateBps: null,
    durationSeconds: 6,
    ...given,
  };
}

export function audio(codec: AudioStream["codec"], given: Partial<AudioStream> = {}): AudioStream {
  return {
    index: 1,
    codecName: codec,
    codec,
    isUniform: true,
    channels: 2,
    language: null,
    rateHz: 48_000,
    isDefault: false,
    bitrateBps: null,
    durationSeconds: 6,
    ...given,
  };
}

/** A file of these streams. */
export function media(
  videoStreams: readonly VideoStream[],
  audioStreams: readonly AudioStream[],
  given: Partial<ProbedMedia> = {},
): ProbedMedia {
  return {
    kind: "mp4",
    title: null,
    startSeconds: 0,
    durationSeconds: 6,
    bitrateBps: 100_000,
    video: videoStreams,
    audio: audioStreams,
    hasOtherStreams: false,
    subtitles: [],
    hasCover: false,
    ...given,
  };
}
