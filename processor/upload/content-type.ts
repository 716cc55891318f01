import type { Container } from "../mux/container-codecs.ts";

/** The MIME subtype of containers that can hold either video or only audio. */
const eitherKind: Partial<Record<Container, string>> = {
  mp4: "mp4",
  mov: "quicktime",
  mkv: "x-matroska",
  webm: "webm",
};
const audioTypes: Readonly<Record<Container, string>> = {
  mp4: "audio/mp4",
  mov: "video/quicktime",
  mkv: "audio/x-matroska",
  webm: "audio/webm",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  mka: "audio/x-matroska",
  opus: "audio/ogg",
  ogg: "audio/ogg",
  flac: "audio/flac",
  wav: "audio/wav",
};

/** The Content-Type to store a file with. */
export function contentType(container: Container, hasVideo: boolean): string {
  const subtype = eitherKind[container];
  return hasVideo && subtype !== undefined ? `video/${subtype}` : audioTypes[container];
}
