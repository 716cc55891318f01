import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";

const contentTypes: Readonly<Record<string, string>> = {
  ".mp4": "video/mp4",
  ".m4s": "video/iso.segment",
  ".webm": "video/webm",
  ".mkv": "video/x-matroska",
  ".ts": "video/mp2t",
  ".mp3": "audio/mpeg",
  ".m4a": "audio/mp4",
  ".mpd": "application/dash+xml",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".html": "text/html; charset=utf-8",
  ".xml": "application/rss+xml; charset=utf-8",
};

export interface Representation {
  /** Bytes that the response declares, of the file or of the requested range. */
  readonly length: number;
  /** Sends the first `bytes` of them and leaves the response open; resolves when they have left the process. */
  send(bytes: number, pace?: Pace): Promise<void>;
  sendAll(pace?: Pace): Promise<void>;
}

/** Chunks of this many bytes, each followed by a pause. */
export interface Pace {
  readonly sliceBytes: number;
  wait(): Promise<void>;
}

interface Ask {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly folder: string;
  readonly path: string;
  /** Whether Range is supported. */
  readonly ranges: boolean;
}

/** Writes the head of the response for a file; null if it has itself answered 404, 416 or a HEAD. */
export async function openRepresentation(ask: Ask): Promise<Representation | null> {
  const { request, response, folder, ranges } = ask;
  const path = join(folder, normalize(`/${ask.path}`));
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile()) {
    response.writeHead(404, { "content-type": "text/plain" }).end("not here\n");
    return null;
  }
  const etag = `"${facts.size}-${Math.trunc(facts.mtimeMs)}"`;
  const fresh = (request.headers["if-range"] ?? etag) === etag;
  const range = ranges && fresh ? parseRange(request.headers.range, facts.size) : null;
  if (range === "unsatisfiable") {
    response.writeHead(416, { "content-range": `bytes */${facts.size}` }).end();
    return null;
  }
  const start = range?.start ?? 0;
  const length = (range?.end ?? facts.size - 1) - start + 1;
  response.writeHead(range ? 206 : 200, {
    "content-type": contentTypes[extname(path)] ?? "application/octet-stream",
    "content-length": length,
    ...(ranges && { "accept-ranges": "bytes", etag }),
    ...(range && { "content-range": `bytes ${range.start}-${range.end}/${facts.size}` }),
  });
  if (request.method === "HEAD") {
    response.end();
    return null;
  }
  async function send(bytes: number, pace?: Pace): Promise<void> {
    if (bytes === 0) return;
    const highWaterMark = pace?.sliceBytes ?? 64 * 1024;
    for await (const chunk of createReadStream(path, { start, end: start + bytes - 1, highWaterMark })) {
      await write(response, chunk);
      await pace?.wait();
    }
  }
  return {
    length,
    send,
    sendAll: async (pace) => {
      await send(length, pace);
      response.end();
    },
  };
}

function write(response: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | "unsatisfiable" | null {
  const match = /^bytes=(\d+)-(\d*)$/.exec(header ?? "");
  if (!match) return null;
  const start = Number(match[1]);
  const end = match[2] ? Math.min(Number(match[2]), size - 1) : size - 1;
  return start > end ? "unsatisfiable" : { start, end };
}
