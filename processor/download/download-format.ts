import type { SourceContext } from "../source/source-context.ts";
import type { Source, SourceFormat } from "../source/source.ts";
import { fetchFile } from "./fetch-file.ts";
import { fetchSegments } from "./fetch-segments.ts";

export interface Download extends SourceContext {
  /** In the job's folder. */
  readonly fileName: string;
  /** Told as bytes come: how many so far, and how many in all where known. Both may fall, when a source starts over. */
  readonly onBytes: (received: number, total: number | null) => void;
}

export interface DownloadedFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Fetches one format of a source into the job's folder, whole. Rejects with JobFailure (too_large, source_error when
 * it stays cut, connection_timeout after silence, …), or with the signal's reason; then nothing is running any more,
 * and what lies in the folder is of no use.
 */
export function downloadFormat(
  format: SourceFormat,
  source: Source,
  download: Download,
): Promise<DownloadedFile> {
  return format.protocol === "file"
    ? fetchFile(format, source.firstLook, download)
    : fetchSegments(format, source, download);
}
