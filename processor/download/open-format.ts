import type { Source, SourceFormat } from "../source/source.ts";
import type { Download } from "./download.ts";
import { openFile } from "./open-file.ts";
import { openSegments } from "./open-segments.ts";

/** The bytes of one format of a source, as they arrive. */
export interface FormatBytes {
  /** The exact length if the source has stated it, otherwise null; it may become known while reading. */
  readonly totalBytes: () => number | null;
  /**
   * The minimum duration in seconds according to the list of its segments, known once the first bytes have arrived; null
   * if no list says so.
   */
  readonly listedSeconds: () => number | null;
  /**
   * All bytes, each once and in order; can be read once. Nothing is requested before the first is wanted, and reading
   * slowly slows the source down. Rejects with JobFailure, which includes SourceChanged, or with the signal's reason;
   * ends only when the format is complete. Leaving the loop early releases everything.
   */
  readonly chunks: AsyncIterable<Buffer>;
}

/** Opens one format of a source for reading. */
export function openFormat(format: SourceFormat, source: Source, download: Download): FormatBytes {
  return format.protocol === "file"
    ? openFile(format, source, download)
    : openSegments(format, source, download);
}
