import {
  defaultAudioBitrate,
  defaultFormat,
  effectiveVideoQuality,
  type AudioCodec,
  type EncodingOptions,
  type VideoCodec,
} from "../../contracts/encoding-options.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { AudioCodecName } from "../source/source.ts";
import { heldAudioCodecs, heldVideoCodecs, type Container } from "./container-codecs.ts";
import type { AudioStream, ProbedMedia, VideoStream } from "./media.ts";

export type EncodedVideoCodec = Exclude<VideoCodec, "copy">;
export type EncodedAudioCodec = Exclude<AudioCodec, "copy">;

/** A stream of one of the inputs. */
interface Chosen<Stream> {
  readonly input: number;
  readonly stream: Stream;
}

export type VideoPlan = Chosen<VideoStream> &
  (
    | { readonly handling: "copy" }
    | { readonly handling: "encode"; readonly codec: EncodedVideoCodec; readonly quality: number }
  );

export type AudioPlan = Chosen<AudioStream> &
  (
    | { readonly handling: "copy" }
    | { readonly handling: "encode"; readonly codec: EncodedAudioCodec; readonly bitrateBps: number }
  );

/** The file to be made, with at least one of video and audio. */
export interface OutputPlan {
  readonly container: Container;
  readonly video: VideoPlan | null;
  readonly audio: AudioPlan | null;
}

/**
 * Decides what becomes of the downloaded files under the client's options. Of two inputs the first provides the video,
 * the last the audio. A stream that already has the requested codec is copied, unless a quality or bitrate is requested
 * with it. Throws JobFailure: `format_not_available` if this source cannot satisfy the options,
 * `invalid_media` if there is neither video nor audio.
 */
export function planOutput(inputs: readonly ProbedMedia[], options: EncodingOptions): OutputPlan {
  const video = choose(inputs, (input) => input.video, pixels).at(0) ?? null;
  const audio = choose(inputs, (input) => input.audio, bitrate).at(-1) ?? null;
  if (video === null && audio === null) throw new JobFailure("invalid_media");

  const wantsAudioOnly = options.audio_only || options.format === "mp3";
  if (wantsAudioOnly && audio === null)
    throw new JobFailure("format_not_available", "the source has no audio");
  const keptVideo = wantsAudioOnly ? null : video;
  const container = containerFor(options, keptVideo !== null, audio?.stream.codec ?? null);
  return {
    container,
    video: keptVideo && planVideo(keptVideo, container, options),
    audio: audio && planAudio(audio, container, options),
  };
}

/** Whether any stream is re-encoded. */
export function isEncoded({ video, audio }: OutputPlan): boolean {
  return video?.handling === "encode" || audio?.handling === "encode";
}

/**
 * The best such stream of each input that has one; if several are equal, the file's own choice, otherwise the first.
 */
function choose<Stream extends { readonly isDefault: boolean }>(
  inputs: readonly ProbedMedia[],
  streamsOf: (input: ProbedMedia) => readonly Stream[],
  quality: (stream: Stream) => number | null,
): Chosen<Stream>[] {
  return inputs.flatMap((media, input) => {
    const streams = streamsOf(media);
    const comparable = streams.every((stream) => quality(stream) !== null);
    const rank = (stream: Stream) => (comparable ? (quality(stream) ?? 0) : 0);
    const [stream] = streams.toSorted(
      (one, other) => rank(other) - rank(one) || Number(other.isDefault) - Number(one.isDefault),
    );
    return stream === undefined ? [] : [{ input, stream }];
  });
}

const pixels = ({ width, height }: VideoStream) =>
  width === null || height === null ? null : width * height;
const bitrate = ({ bitrateBps }: AudioStream) => bitrateBps;

const audioFileOfFormat = { mp4: "m4a", mov: "m4a", mkv: "mka", webm: "webm", mp3: "mp3" } as const;
const usualAudioFile: Readonly<Record<AudioCodecName, Container>> = {
  mp3: "mp3",
  aac: "m4a",
  opus: "opus",
  vorbis: "ogg",
  flac: "flac",
  pcm: "wav",
  other: "mka",
};

function containerFor(
  options: EncodingOptions,
  hasVideo: boolean,
  sourceAudio: AudioCodecName | null,
): Container {
  const { format, audio_only: audioOnly, audio_codec: audioCodec } = options;
  if (format !== null) return audioOnly ? audioFileOfFormat[format] : format;
  if (hasVideo) return defaultFormat === "mp3" ? "mp4" : defaultFormat;
  const codec = audioCodec === null || audioCodec === "copy" ? sourceAudio : audioCodec;
  return usualAudioFile[codec ?? "other"];
}

const ownVideoCodec: Partial<Record<Container, EncodedVideoCodec>> = {
  mp4: "h264",
  mov: "h264",
  webm: "vp9",
};
const ownAudioCodec: Partial<Record<Container, EncodedAudioCodec>> = {
  mp4: "aac",
  mov: "aac",
  m4a: "aac",
  webm: "opus",
  mp3: "mp3",
};

function planVideo(chosen: Chosen<VideoStream>, container: Container, options: EncodingOptions): VideoPlan {
  const { video_codec: asked } = options;
  const { codec: sourceCodec, saysOrder, isUniform } = chosen.stream;
  // If copied, pictures whose display order is unknown would be shown in the order in which they are stored.
  const canBeCopied = saysOrder && isUniform;
  const isHeld = canBeCopied && heldVideoCodecs(container).includes(sourceCodec);
  const isAsIs =
    asked === null || asked === "copy" || (asked === sourceCodec && options.video_quality === null);
  if (isAsIs && isHeld) return { ...chosen, handling: "copy" };
  const codec = asked ?? ownVideoCodec[container] ?? (canBeCopied ? undefined : "h264");
  if (codec === undefined || codec === "copy" || !heldVideoCodecs(container).includes(codec)) {
    throw new JobFailure(
      "format_not_available",
      `${container} cannot hold the source's video without re-encoding`,
    );
  }
  return { ...chosen, handling: "encode", codec, quality: effectiveVideoQuality(options) };
}

/** For a container that has no codec of its own. */
function sameCodec(codec: AudioCodecName): EncodedAudioCodec {
  return codec === "opus" || codec === "mp3" ? codec : "aac";
}

function planAudio(chosen: Chosen<AudioStream>, container: Container, options: EncodingOptions): AudioPlan {
  const asked = options.audio_codec === "copy" ? null : options.audio_codec;
  const { isUniform } = chosen.stream;
  const isHeld = isUniform && heldAudioCodecs(container).includes(chosen.stream.codec);
  const isAsIs = asked === null || (asked === chosen.stream.codec && options.audio_bitrate === null);
  if (isAsIs && isHeld) return { ...chosen, handling: "copy" };
  const codec = asked ?? ownAudioCodec[container] ?? (isUniform ? undefined : sameCodec(chosen.stream.codec));
  if (codec === undefined || !heldAudioCodecs(container).includes(codec)) {
    throw new JobFailure("format_not_available", `${container} cannot hold this audio`);
  }
  const kilobits = Number.parseInt(options.audio_bitrate ?? defaultAudioBitrate, 10);
  return { ...chosen, handling: "encode", codec, bitrateBps: kilobits * 1000 };
}
