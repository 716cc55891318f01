import { renewFormat } from "../source/renew-format.ts";
import type { Source, SourceFormat } from "../source/source.ts";
import { accessOf, readingOf, type Download } from "./download.ts";
import { piecesOfFile } from "./file-pieces.ts";
import type { FormatBytes } from "./open-format.ts";
import { readInOrder } from "./read-in-order.ts";
import { createRemoteFile } from "./remote-file.ts";

/** A format that is one HTTP resource. */
export function openFile(format: SourceFormat, source: Source, download: Download): FormatBytes {
  const file = createRemoteFile(format, accessOf(download), source.firstLook);
  const chunks = readInOrder(piecesOfFile(file, format.rangeBytes), {
    ...readingOf(download),
    onBytes: (received) => download.onBytes(received, file.total()),
    renew: async () => file.moveTo(await renewFormat(format, source, download)),
  });
  return { totalBytes: () => file.total(), listedSeconds: () => null, chunks };
}
