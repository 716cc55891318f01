import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Download } from "../../../processor/download/download.ts";
import { openFormat, type FormatBytes } from "../../../processor/download/open-format.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";
import { directFormat, resolveSource } from "../../../processor/source/resolve-source.ts";
import type { Source, SourceFormat } from "../../../processor/source/source.ts";
import type { Origin } from "../../../scripts/origin/serve-origin.ts";
import { startTestOrigin } from "../../origin/test-origin.ts";
import { openSourceWorkshop } from "../source/test-context.ts";

/** The fixture of download tests: a workshop, and its own servers. */
export interface DownloadWorkshop {
  readonly origin: Origin;
  /** The dependencies of a download, with its own folder. */
  download(more?: Partial<Download>): Promise<Download>;
  /** Starts a server and returns its URL without a trailing slash. */
  serve(listener: RequestListener): Promise<string>;
  /** Reads a format to its end. */
  fetch(format: SourceFormat, source: Source, more?: Partial<Download>): Promise<Fetched>;
  /** Resolves a URL and reads its best format. */
  fetchFrom(url: string, more?: Partial<Download>): Promise<Fetched>;
  close(): Promise<void>;
}

export interface Fetched {
  readonly content: Buffer;
  readonly bytes: FormatBytes;
  readonly progress: readonly (readonly [number, number | null])[];
}

export async function openDownloadWorkshop(): Promise<DownloadWorkshop> {
  const origin = await startTestOrigin();
  const workshop = await openSourceWorkshop();
  const { downloadMemory } = workshop;
  const servers: Server[] = [];

  async function download(more?: Partial<Download>): Promise<Download> {
    const disk = { takeNow: () => {}, give: () => {} };
    return { ...(await workshop.context()), downloadMemory, disk, onBytes: () => {}, ...more };
  }

  async function fetch(format: SourceFormat, source: Source, more?: Partial<Download>): Promise<Fetched> {
    const progress: [number, number | null][] = [];
    const onBytes = (received: number, total: number | null) => progress.push([received, total]);
    const bytes = openFormat(format, source, await download({ onBytes, ...more }));
    return { content: await buffer(bytes.chunks), bytes, progress };
  }

  return {
    origin,
    download,
    serve: async (listener) => {
      const server = createServer(listener);
      servers.push(server);
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      return `http://127.0.0.1:${listeningPort(server)}`;
    },
    fetch,
    fetchFrom: async (url, more) => {
      const source = await resolveSource(url, await download(more));
      const format = source.formats.at(-1);
      if (!format) throw new Error("the source has no format");
      return fetch(format, source, more);
    },
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await workshop.close();
      await origin.close();
    },
  };
}

const noSidecars = { language: null, subtitles: [], thumbnails: [] };

/** A source whose only format is the file at `url`, not inspected yet. */
export function formatAt(url: string, more: Partial<SourceFormat> = {}): [SourceFormat, Source] {
  const format = { ...directFormat(url, null), ...more };
  const facts = { title: null, durationSeconds: null, listed: noSidecars, infoPath: null, firstLook: null };
  return [format, { ...facts, url, formats: [format] }];
}

/** The start and end of the requested range; without a range, 0 and the whole file. */
export function askedOf(request: IncomingMessage, length: number): { start: number; end: number } {
  const [, start = "0", last = ""] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? [];
  return { start: Number(start), end: last === "" ? length : Math.min(Number(last) + 1, length) };
}

/** Sends the head of a response as a server with range support does; the caller sends the body. */
export function answerRange(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  etag = '"one"',
): Buffer {
  const { start, end } = askedOf(request, content.length);
  const isRanged = request.headers.range !== undefined;
  response.writeHead(isRanged ? 206 : 200, {
    "content-length": end - start,
    "accept-ranges": "bytes",
    etag,
    ...(isRanged && { "content-range": `bytes ${start}-${end - 1}/${content.length}` }),
  });
  return content.subarray(start, end);
}

/** Sends at most `bytesPerSecond` while the connection is open. */
export async function sendSlowly(
  response: ServerResponse,
  body: Buffer,
  bytesPerSecond: number,
): Promise<void> {
  const sliceBytes = bytesPerSecond / 50;
  for (let at = 0; at < body.length && !response.destroyed; at += sliceBytes) {
    response.write(body.subarray(at, at + sliceBytes));
    await sleep(20);
  }
  response.end();
}
