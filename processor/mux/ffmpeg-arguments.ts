import type { Container } from "./container-codecs.ts";
import { decoderBounds, demuxers, type FileKind } from "./media.ts";
import type {
  AudioPlan,
  EncodedAudioCodec,
  EncodedVideoCodec,
  OutputPlan,
  VideoPlan,
} from "./plan-output.ts";

export interface InputFile {
  readonly path: string;
  readonly kind: FileKind;
}

export interface PipedFile {
  /** The file descriptor from which it is read in order. */
  readonly pipe: number;
  readonly kind: FileKind;
}

export type MuxInput = (InputFile | PipedFile) & {
  /** How much later than the earliest input it starts. */
  readonly delaySeconds: number;
};

const muxers: Readonly<Record<Container, string>> = {
  mp4: "mp4",
  mov: "mov",
  mkv: "matroska",
  webm: "webm",
  mp3: "mp3",
  m4a: "ipod",
  mka: "matroska",
  opus: "opus",
  ogg: "ogg",
  flac: "flac",
  wav: "wav",
};

/** Containers of the mp4 family, whose index ends up at the front. */
export function hasIndex(container: Container): boolean {
  return container === "mp4" || container === "mov" || container === "m4a";
}

/**
 * The command that makes the planned file. Only local files are read, each with the demuxer of its kind, because ffmpeg
 * would otherwise trust what a file claims to be. Progress is written to standard output. `indexRoom` is how many bytes
 * to reserve at the front of an mp4 for its index, in which case the media is written strictly forward; null: the index
 * is moved there at the end.
 */
export function ffmpegArguments(
  inputs: readonly MuxInput[],
  { container, video, audio }: OutputPlan,
  outputPath: string,
  indexRoom: number | null = null,
): string[] {
  return [
    ["-nostdin", "-hide_banner", "-loglevel", "error", "-nostats", "-progress", "pipe:1", "-y"],
    ...inputs.map(inputArguments),
    video ? videoArguments(video, container) : ["-vn"],
    audio ? audioArguments(audio, container, inputs) : ["-an"],
    ["-sn", "-dn", "-map_metadata", "0", ...brandless],
    hasIndex(container) ? [...indexArguments(indexRoom), ...withoutTracksOfData] : [],
    ["-f", muxers[container], `file:${outputPath}`],
  ].flat();
}

function indexArguments(room: number | null): string[] {
  return room === null ? ["-movflags", "+faststart"] : ["-moov_size", String(room)];
}

/** Chapters and time codes would become tracks of their own. */
const withoutTracksOfData = ["-map_chapters", "-1", "-write_tmcd", "0"];

/** An mp4 lists its brands in its metadata; they do not apply to the new file. */
const brandless = ["major_brand", "minor_version", "compatible_brands"].flatMap((tag) => [
  "-metadata",
  `${tag}=`,
]);

/** Threads that read pipes only poll every 10 ms: without them, reading is ten times as fast. */
const readInTurn = ["-thread_queue_size", "0"];

function inputArguments({ kind, delaySeconds, ...input }: MuxInput): string[] {
  return [
    "pipe" in input ? readInTurn : [],
    delaySeconds > 0 ? ["-itsoffset", delaySeconds.toFixed(6)] : [],
    decoderBounds,
    [
      "-protocol_whitelist",
      "file,pipe,fd",
      "-f",
      demuxers[kind],
      "-i",
      "path" in input ? `file:${input.path}` : `pipe:${input.pipe}`,
    ],
  ].flat();
}

function videoArguments(video: VideoPlan, container: Container): string[] {
  const codec = video.handling === "copy" ? video.stream.codec : video.codec;
  const hasParameters = video.handling === "encode" || video.stream.saysParameters;
  return [
    ["-map", `${video.input}:${video.stream.index}`],
    video.handling === "copy"
      ? ["-c:v", "copy"]
      : [...videoEncoders[video.codec](video.quality), ...ownTimes],
    // Apple's players accept h265 only with this tag, which promises that the index has all its parameter sets.
    codec === "h265" && hasIndex(container) && hasParameters ? ["-tag:v", "hvc1"] : [],
  ].flat();
}

/** A recording with pictures at uneven times would otherwise get up to a thousand a second, nearly all repeated. */
const ownTimes = ["-fps_mode", "vfr"];

/** All players show 4:2:0, which needs an even width and height. */
const forAllPlayers = ["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p"];

/** The presets give up a few percent of size for half of the time or less. */
const videoEncoders: Readonly<Record<EncodedVideoCodec, (quality: number) => string[]>> = {
  h264: (quality) => ["-c:v", "libx264", "-preset", "fast", "-crf", String(quality), ...forAllPlayers],
  h265: (quality) =>
    [
      ["-c:v", "libx265", "-preset", "fast", "-crf", String(quality), "-x265-params", "log-level=error"],
      forAllPlayers,
    ].flat(),
  vp9: (quality) =>
    [
      // Without a bitrate of 0, the CRF is only a limit.
      ["-c:v", "libvpx-vp9", "-crf", String(quality), "-b:v", "0"],
      ["-deadline", "good", "-cpu-used", "4", "-row-mt", "1"],
      forAllPlayers,
    ].flat(),
};

function audioArguments(audio: AudioPlan, container: Container, inputs: readonly MuxInput[]): string[] {
  const encoder =
    audio.handling === "copy" ? copyOf(audio, container, inputs[audio.input]?.kind) : audioEncoder(audio);
  return ["-map", `${audio.input}:${audio.stream.index}`, "-c:a", ...encoder];
}

/**
 * A WAV file has one byte order: samples in the other are converted, which is lossless. So is re-encoding FLAC from
 * another container; a copy would not state its duration.
 */
function copyOf({ stream }: AudioPlan, container: Container, kind: FileKind | undefined): string[] {
  if (container === "flac" && kind !== "flac") return ["flac"];
  const isTurnedRound = container === "wav" && stream.codecName.endsWith("be");
  return [isTurnedRound ? stream.codecName.replace(/be$/, "le") : "copy"];
}

const encoderNames: Readonly<Record<EncodedAudioCodec, string>> = {
  aac: "aac",
  opus: "libopus",
  mp3: "libmp3lame",
};
/** The Opus encoder rejects more than this per channel … */
const opusMaxBpsPerChannel = 256_000;
/** … and surround sound in any other layout. */
const opusLayouts = "aformat=channel_layouts=7.1|5.1|stereo|mono";

function audioEncoder({ codec, bitrateBps, stream }: Extract<AudioPlan, { handling: "encode" }>): string[] {
  if (codec !== "opus") return [encoderNames[codec], "-b:a", String(bitrateBps)];
  const most = opusMaxBpsPerChannel * (stream.channels ?? 1);
  return [encoderNames.opus, "-b:a", String(Math.min(bitrateBps, most)), "-af", opusLayouts];
}
