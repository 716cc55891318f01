import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Source, SourceFormat } from "../source/source.ts";
import { downloadFormat, type Download } from "./download-format.ts";

/** The bytes of one format of a source, as they come. */
export interface FormatBytes {
  /** Exact length where the source has said it, else null; it may become known while reading. */
  readonly totalBytes: () => number | null;
  /**
   * The bytes from the first to the last, each once, in order; to be read once. Nothing is asked for before the
   * first is wanted, and reading slower slows the source. Rejects with JobFailure, or with the signal's reason; ends
   * only when the format is whole. Ending to read early lets go of everything.
   */
  readonly chunks: AsyncIterable<Buffer>;
}

export type FormatDownload = Omit<Download, "fileName">;

/** Opens one format of a source for reading. */
export function openFormat(format: SourceFormat, source: Source, download: FormatDownload): FormatBytes {
  let total: number | null = null;

  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    const file = await downloadFormat(format, source, { ...download, fileName: `fetched-${randomUUID()}` });
    total = file.bytes;
    try {
      yield* createReadStream(file.path, { highWaterMark: 256 * 1024 });
    } finally {
      await rm(file.path, { force: true });
    }
  }

  return { totalBytes: () => total, chunks: chunks() };
}
