import { ALL_FORMATS, BufferSource, Input, type InputTrack } from "mediabunny";
import { cutText } from "../../contracts/cut-text.ts";
import { titleMaxCharacters } from "../../contracts/limits.ts";
import type { AudioStream, FileKind, ProbedMedia, VideoStream } from "../mux/media.ts";

/**
 * What a media file contains, read from its first bytes, which have to include everything before the media itself. Null
 * if they do not tell everything, or contain something unknown to Ferry.
 */
export async function readHead(head: Buffer, kind: FileKind): Promise<ProbedMedia | null> {
  const input = new Input({ source: new BufferSource(head), formats: ALL_FORMATS });
  try {
    return await readInput(input, kind);
  } catch {
    // The library may throw anything on bytes it cannot handle; such a file is judged elsewhere.
    return null;
  } finally {
    input.dispose();
  }
}

async function readInput(input: Input, kind: FileKind): Promise<ProbedMedia | null> {
  const tracks = await input.getTracks();
  const streams = await Promise.all(tracks.map(readTrack));
  if (streams.includes(null)) return null;
  const { title = "", images = [] } = await input.getMetadataTags();
  const known = streams.filter((stream) => stream !== null);
  return {
    kind,
    title: cutText(title.trim(), titleMaxCharacters) || null,
    startSeconds: 0,
    durationSeconds: await input.getDurationFromMetadata(),
    bitrateBps: null,
    video: known.flatMap(({ video }) => video ?? []),
    audio: known.flatMap(({ audio }) => audio ?? []),
    subtitles: [],
    hasOtherStreams: false,
    hasCover: images.length > 0,
  };
}

interface ReadStream {
  readonly video?: VideoStream;
  readonly audio?: AudioStream;
}

const videoCodecs = { avc: "h264", hevc: "h265", vp8: "vp8", vp9: "vp9", av1: "av1" } as const;
const audioCodecs = {
  aac: "aac",
  mp3: "mp3",
  opus: "opus",
  vorbis: "vorbis",
  flac: "flac",
  "pcm-u8": "pcm",
  "pcm-s16": "pcm",
  "pcm-s24": "pcm",
  "pcm-s32": "pcm",
  "pcm-f32": "pcm",
  "pcm-f64": "pcm",
  alaw: "pcm",
  ulaw: "pcm",
} as const;

/** Null for a track with an unknown codec. */
async function readTrack(track: InputTrack): Promise<ReadStream | null> {
  const codec = await track.getCodec();
  const common = {
    index: track.number - 1,
    isUniform: true,
    isDefault: true,
    bitrateBps: null,
    durationSeconds: await track.getDurationFromMetadata(),
  };
  if (track.isVideoTrack() && isKey(videoCodecs, codec)) {
    const name = videoCodecs[codec];
    const [width, height] = [await track.getCodedWidth(), await track.getCodedHeight()];
    const framesPerSecond = null;
    // Only a program that makes another file of it needs to know more.
    const said = { saysOrder: true, saysParameters: true };
    return { video: { ...common, codec: name, codecName: name, ...said, width, height, framesPerSecond } };
  }
  if (track.isAudioTrack() && isKey(audioCodecs, codec)) {
    const name = audioCodecs[codec];
    const [channels, rateHz] = [await track.getNumberOfChannels(), await track.getSampleRate()];
    const language = await track.getLanguageCode();
    return { audio: { ...common, codec: name, codecName: name, channels, rateHz, language } };
  }
  return null;
}

function isKey<Key extends string>(names: Record<Key, unknown>, key: string | null): key is Key {
  return key !== null && Object.hasOwn(names, key);
}
