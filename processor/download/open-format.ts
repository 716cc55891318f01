import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createRetries } from "../network/retries.ts";
import { renewFormat } from "../source/renew-format.ts";
import type { Source, SourceFormat } from "../source/source.ts";
import type { Download } from "./download.ts";
import { fetchByProgram } from "./fetch-by-program.ts";
import { piecesOfFile } from "./file-pieces.ts";
import { readInOrder } from "./read-in-order.ts";
import { createRemoteFile } from "./remote-file.ts";

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
    : openByProgram(format, source, download);
}

function openFile(format: SourceFormat, source: Source, download: Download): FormatBytes {
  const { network, signal, limits, downloadMemory, onBytes } = download;
  const { source_silence_ms: silenceMs, source_file_bytes: maxBytes } = limits;
  const file = createRemoteFile(format, { network, silenceMs, maxBytes }, source.firstLook);
  const chunks = readInOrder(piecesOfFile(file, format.rangeBytes), {
    signal,
    silenceMs,
    maxBytes,
    budget: downloadMemory,
    retries: createRetries(signal),
    now: () => performance.now(),
    onBytes: (received) => onBytes(received, file.total()),
    renew: async () => file.moveTo(await renewFormat(format, source, download)),
  });
  return { totalBytes: file.total, chunks };
}

/** What only the downloader program can fetch comes into a file first. */
function openByProgram(format: SourceFormat, source: Source, download: Download): FormatBytes {
  let total: number | null = null;

  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    const file = await fetchByProgram(format, source, { ...download, fileName: `fetched-${randomUUID()}` });
    total = file.bytes;
    try {
      yield* createReadStream(file.path, { highWaterMark: 256 * 1024, signal: download.signal });
    } finally {
      await rm(file.path, { force: true });
    }
  }

  return { totalBytes: () => total, chunks: chunks() };
}
