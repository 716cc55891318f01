import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { SourceChanged } from "../network/network-failure.ts";
import type { Source, SourceFormat } from "../source/source.ts";
import type { DownloadedFile, FileDownload } from "./download.ts";
import { fetchByProgram } from "./fetch-by-program.ts";
import { openFormat } from "./open-format.ts";

/** A source that keeps changing is given up. */
const beginningsMax = 3;

/**
 * Fetches one format of a source into the job's folder, whole; from the beginning again where the source becomes
 * another one meanwhile. Rejects with JobFailure (too_large, source_error when it stays cut, connection_timeout after
 * silence, …), or with the signal's reason; then nothing is running any more, and what lies in the folder is of no use.
 */
export async function downloadFormat(
  format: SourceFormat,
  source: Source,
  download: FileDownload,
): Promise<DownloadedFile> {
  if (format.protocol === "program") return fetchByProgram(format, source, download);
  const path = join(download.folder, download.fileName);
  for (let beginning = 1; ; beginning++) {
    const from = beginning === 1 ? source : { ...source, firstLook: null };
    const file = createWriteStream(path);
    try {
      await pipeline(openFormat(format, from, download).chunks, file);
      return { path, bytes: file.bytesWritten };
    } catch (error) {
      if (!(error instanceof SourceChanged) || beginning === beginningsMax) throw error;
    }
  }
}
