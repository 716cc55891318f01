import type { SourceFormat } from "./source.ts";

/**
 * The formats for video and audio; null: the file is to have none. Both may be the same format, which is then
 * downloaded once. A format with unknown codecs may turn out to lack what it was chosen for.
 */
export interface Choice {
  readonly video: SourceFormat | null;
  readonly audio: SourceFormat | null;
}

/** The formats to download, each once. */
export function formatsOf({ video, audio }: Choice): SourceFormat[] {
  return [...new Set([video, audio])].filter((format) => format !== null);
}
