import type { Source, SourceFormat } from "../source/source.ts";
import type { Download } from "./download.ts";
import { openFile } from "./open-file.ts";
import { openSegments } from "./open-segments.ts";

/** The bytes of one format of a source, as they come. */
export interface FormatBytes {
  /** Exact length where the source has said it, else null; it may become known while reading. */
  readonly totalBytes: () => number | null;
  /**
   * The bytes from the first to the last, each once, in order; to be read once. Nothing is asked for before the
   * first is wanted, and reading slower slows the source. Rejects with JobFailure, with SourceChanged among them, or
   * with the signal's reason; ends only when the format is whole. Ending to read early lets go of everything.
   */
  readonly chunks: AsyncIterable<Buffer>;
}

/** Opens one format of a source for reading. */
export function openFormat(format: SourceFormat, source: Source, download: Download): FormatBytes {
  return format.protocol === "file"
    ? openFile(format, source, download)
    : openSegments(format, source, download);
}
