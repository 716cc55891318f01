import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { SourceChanged } from "../network/network-failure.ts";
import { renewFormat } from "../source/renew-format.ts";
import type { Source, SourceFormat } from "../source/source.ts";
import { accessOf, readingOf, type Download } from "./download.ts";
import { fetchByProgram } from "./fetch-by-program.ts";
import { listSegments } from "./list-segments.ts";
import type { FormatBytes } from "./open-format.ts";
import { readInOrder } from "./read-in-order.ts";
import type { SegmentList } from "./read-segment-list.ts";
import { fetchKeys } from "./segment-keys.ts";
import { piecesOfSegments } from "./segment-pieces.ts";

type Chunks = AsyncGenerator<Buffer, void, undefined>;

/** A format that is a sequence of HTTP resources, or anything else the downloader can fetch. */
export function openSegments(format: SourceFormat, source: Source, download: Download): FormatBytes {
  let total: number | null = null;
  let listedSeconds: number | null = null;

  async function* chunks(): Chunks {
    const list = await listSegments(format, source.durationSeconds, download);
    listedSeconds = list?.seconds ?? null;
    const bytes =
      list === null ? readByProgram(format, source, download) : readSegments(list, format, source, download);
    let given = 0;
    for await (const chunk of bytes) {
      given += chunk.length;
      yield chunk;
    }
    total = given;
  }

  return { totalBytes: () => total, listedSeconds: () => listedSeconds, chunks: chunks() };
}

async function* readSegments(
  list: SegmentList,
  format: SourceFormat,
  source: Source,
  download: Download,
): Chunks {
  const { segments } = list;
  const keys = await fetchKeys(segments, format.headers, download);
  const pieces = piecesOfSegments(list, format.headers, keys, accessOf(download));
  yield* readInOrder(pieces, {
    ...readingOf(download),
    onBytes: (received) => {
      const guess = Math.round((received / pieces.begun()) * segments.length);
      download.onBytes(received, format.bytes ?? guess);
    },
    renew: async () => {
      const renewed = await renewFormat(format, source, download);
      const moved = await listSegments(renewed, source.durationSeconds, download);
      if (moved === null) throw new SourceChanged();
      pieces.moveTo(moved.segments, renewed.headers);
    },
  });
}

/** Through a file. */
async function* readByProgram(format: SourceFormat, source: Source, download: Download): Chunks {
  const file = await fetchByProgram(format, source, { ...download, fileName: `fetched-${randomUUID()}` });
  try {
    yield* createReadStream(file.path, { highWaterMark: 256 * 1024, signal: download.signal });
  } finally {
    await rm(file.path, { force: true });
    download.disk.give(file.bytes);
  }
}
