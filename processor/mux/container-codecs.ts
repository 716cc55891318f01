import type { AudioCodecName, VideoCodecName } from "../source/source.ts";

/** The files that Ferry makes. A file's extension is its container's name. */
export type Container =
  | "mp4"
  | "mov"
  | "mkv"
  | "webm"
  | "mp3"
  | "m4a"
  | "mka"
  | "opus"
  | "ogg"
  | "flac"
  | "wav";

interface HeldCodecs {
  readonly video: readonly VideoCodecName[];
  readonly audio: readonly AudioCodecName[];
}

const allVideo: readonly VideoCodecName[] = ["h264", "h265", "vp8", "vp9", "av1", "other"];
const allAudio: readonly AudioCodecName[] = ["aac", "mp3", "opus", "vorbis", "flac", "pcm", "other"];

const held: Readonly<Record<Container, HeldCodecs>> = {
  mp4: { video: ["h264", "h265", "vp9", "av1"], audio: ["aac", "mp3", "opus"] },
  mov: { video: ["h264", "h265"], audio: ["aac", "mp3"] },
  webm: { video: ["vp8", "vp9", "av1"], audio: ["opus", "vorbis"] },
  mkv: { video: allVideo, audio: allAudio },
  m4a: { video: [], audio: ["aac"] },
  mka: { video: [], audio: allAudio },
  mp3: { video: [], audio: ["mp3"] },
  opus: { video: [], audio: ["opus"] },
  ogg: { video: [], audio: ["vorbis"] },
  flac: { video: [], audio: ["flac"] },
  wav: { video: [], audio: ["pcm"] },
};

/** The video codecs that the container can hold without re-encoding. */
export function heldVideoCodecs(container: Container): readonly VideoCodecName[] {
  return held[container].video;
}

/** The audio codecs that the container can hold without re-encoding. */
export function heldAudioCodecs(container: Container): readonly AudioCodecName[] {
  return held[container].audio;
}
