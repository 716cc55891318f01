import type { SourceFormat } from "./source.ts";

/**
 * Where the picture and the sound are taken from; null: the file is to have none. Both may be the same format, which
 * is then fetched once. A format of unknown codecs may turn out to lack what it was chosen for.
 */
export interface Choice {
  readonly video: SourceFormat | null;
  readonly audio: SourceFormat | null;
}

/** The formats to fetch, each once. */
export function formatsOf({ video, audio }: Choice): SourceFormat[] {
  return [...new Set([video, audio])].filter((format) => format !== null);
}
