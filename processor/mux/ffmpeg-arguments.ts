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
  /** The file descriptor that it is read from, in order. */
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

/** Containers of the mp4 family, whose index ends up in front. */
export function hasIndex(container: Container): boolean {
  return container === "mp4" || container === "mov" || container === "m4a";
}

/**
 * The command that makes the planned file. Only local files are read, each by the demuxer of its kind, because
 * ffmpeg would follow what a file says it is; progress is written to standard output. `indexRoom` are the bytes to
 * leave in front of an mp4 for its index, whose media is then written in order; null: the index is moved there at the
 * end.
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

/** An mp4 names its brands in its metadata; they are not true of the new file. */
const brandless = ["major_brand", "minor_version", "compatible_brands"].flatMap((tag) => [
  "-metadata",
  `${tag}=`,
]);

/** Read by threads, pipes are looked at every 10 ms only: in turn they are read ten times as fast. */
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
  return [
    ["-map", `${video.input}:${video.stream.index}`],
    video.handling === "copy" ? ["-c:v", "copy"] : videoEncoders[video.codec](video.quality),
    // Apple's players take h265 under this tag only.
    codec === "h265" && hasIndex(container) ? ["-tag:v", "hvc1"] : [],
  ].flat();
}

/** Players everywhere show 4:2:0, which needs an even width and height. */
const forAllPlayers = ["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p"];

/** Presets trade a few percent of size for half of the time or less. */
const videoEncoders: Readonly<Record<EncodedVideoCodec, (quality: number) => string[]>> = {
  h264: (quality) => ["-c:v", "libx264", "-preset", "fast", "-crf", String(quality), ...forAllPlayers],
  h265: (quality) =>
    [
      ["-c:v", "libx265", "-preset", "fast", "-crf", String(quality), "-x265-params", "log-level=error"],
      forAllPlayers,
    ].flat(),
  vp9: (quality) =>
    [
      // Without a bitrate of 0 the CRF is only a bound.
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
 * A wav file has its samples in one order of bytes: those of the other are turned round, which loses nothing. So does
 * coding flac from another kind of file again; copied it would not say how long it plays.
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
/** The opus encoder refuses more than this for each channel … */
const opusMaxBpsPerChannel = 256_000;
/** … and surround sound in any other order. */
const opusLayouts = "aformat=channel_layouts=7.1|5.1|stereo|mono";

function audioEncoder({ codec, bitrateBps, stream }: Extract<AudioPlan, { handling: "encode" }>): string[] {
  if (codec !== "opus") return [encoderNames[codec], "-b:a", String(bitrateBps)];
  const most = opusMaxBpsPerChannel * (stream.channels ?? 1);
  return [encoderNames.opus, "-b:a", String(Math.min(bitrateBps, most)), "-af", opusLayouts];
}
