import { fileNameMaxBytes, storageKeyMaxBytes } from "../../contracts/limits.ts";
import { cutFileName, sanitizeFileName, utf8Bytes } from "./file-name.ts";

export interface StorageKeySource {
  /** As accepted at creation, without a trailing slash. */
  readonly folder: string | null;
  /** As the client sent it. */
  readonly filename: string | null;
  /** The media's own title, the first fallback. */
  readonly title: string | null;
  /** The last fallback. */
  readonly jobId: string;
  /** Of the finished file, lower case, without the dot. */
  readonly extension: string;
  /** Of its possible sidecars, such as `en.vtt`. */
  readonly sidecarSuffixes: readonly string[];
  /** Length of the prefix before the key in the bucket. */
  readonly prefixBytes: number;
}

/**
 * The nth key to try for a file, from 1: `folder/name.mp4`, then `folder/name (2).mp4` and so on. The name without its
 * extension takes at most 180 bytes, the key with its prefix 1,024, and so do those of its sidecars: the name is cut,
 * never the number.
 */
export function storageKeyCandidate(source: StorageKeySource, n: number): string {
  const folder = source.folder === null ? "" : `${source.folder}/`;
  const number = n > 1 ? ` (${n})` : "";
  const endings = [source.extension, ...source.sidecarSuffixes].map((ending) => utf8Bytes(`.${ending}`));
  const room = storageKeyMaxBytes - source.prefixBytes - utf8Bytes(folder) - Math.max(...endings);
  const name = cutFileName(wholeName(source), Math.min(fileNameMaxBytes, room) - utf8Bytes(number));
  return `${folder}${name}${number}.${source.extension}`;
}

function wholeName({ filename, title, jobId, extension }: StorageKeySource): string {
  return sanitizeFileName(filename ?? "", extension) || sanitizeFileName(title ?? "", extension) || jobId;
}
