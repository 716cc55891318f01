import { createCipheriv, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openFormat, type FormatBytes } from "../../../processor/download/open-format.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";
import { SourceChanged } from "../../../processor/network/network-failure.ts";
import { resolveSource } from "../../../processor/source/resolve-source.ts";
import type { Source, SourceFormat } from "../../../processor/source/source.ts";
import { mediaFiles } from "../../../scripts/origin/make-media.ts";
import type { Origin } from "../../../scripts/origin/serve-origin.ts";
import { startTestOrigin, testMediaFolder } from "../../origin/test-origin.ts";
import { openSourceWorkshop, type SourceWorkshop } from "../source/test-context.ts";

const mib = 1024 * 1024;
let origin: Origin;
let workshop: SourceWorkshop;
const servers: Server[] = [];

beforeAll(async () => {
  origin = await startTestOrigin();
  workshop = await openSourceWorkshop();
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await workshop.close();
  await origin.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${listeningPort(server)}`;
}

const noSidecars = { language: null, subtitles: [], thumbnails: [] };

function formatAt(url: string, more: Partial<SourceFormat> = {}): [SourceFormat, Source] {
  const format: SourceFormat = {
    id: "one",
    url,
    protocol: "file",
    fragments: [],
    headers: {},
    rangeBytes: null,
    videoCodec: "unknown",
    audioCodec: "unknown",
    width: null,
    height: null,
    audioBitrateBps: null,
    languagePreference: 0,
    bytes: null,
    ...more,
  };
  const facts = {
    url,
    title: null,
    durationSeconds: null,
    listed: noSidecars,
    infoPath: null,
    firstLook: null,
  };
  return [format, { ...facts, formats: [format] }];
}

async function open(
  format: SourceFormat,
  source: Source,
  more: { silenceMs?: number } = {},
): Promise<FormatBytes> {
  const limits = { source_file_bytes: 1e9, source_silence_ms: more.silenceMs ?? 30_000 };
  const context = await workshop.context({ limits });
  return openFormat(format, source, {
    ...context,
    downloadMemory: workshop.downloadMemory,
    onBytes: () => {},
  });
}

async function read(...[format, source]: [SourceFormat, Source]): Promise<Buffer> {
  const { chunks } = await open(format, source);
  return buffer(chunks);
}

/** Where a request asks to begin, and to end; 0 and the whole without a range. */
function askedOf(request: IncomingMessage, length: number): { start: number; end: number } {
  const [, start = "0", last = ""] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? [];
  return { start: Number(start), end: last === "" ? length : Math.min(Number(last) + 1, length) };
}

/** Answers as a server with ranges does; the body is for the caller to send. */
function answerRange(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  etag = '"one"',
): Buffer {
  const { start, end } = askedOf(request, content.length);
  const range = { "content-range": `bytes ${start}-${end - 1}/${content.length}` };
  const isRanged = request.headers.range !== undefined;
  response.writeHead(isRanged ? 206 : 200, {
    "content-length": end - start,
    "accept-ranges": "bytes",
    etag,
    ...(isRanged && range),
  });
  return content.subarray(start, end);
}

/** Sends at most `bytesPerSecond`, as long as the connection is there. */
async function sendSlowly(response: ServerResponse, body: Buffer, bytesPerSecond: number): Promise<void> {
  const sliceBytes = bytesPerSecond / 50;
  for (let at = 0; at < body.length && !response.destroyed; at += sliceBytes) {
    response.write(body.subarray(at, at + sliceBytes));
    await sleep(20);
  }
  response.end();
}

const noise = randomBytes(20 * mib);

describe("a file", () => {
  test("comes as its bytes, and nothing of it stays on disk", async () => {
    const context = await workshop.context();
    const source = await resolveSource(`${origin.url}/${mediaFiles.mp3}`, context);
    const [format] = source.formats;
    if (!format) throw new Error("no format");
    const bytes = openFormat(format, source, {
      ...context,
      downloadMemory: workshop.downloadMemory,
      onBytes: () => {},
    });
    const content = await buffer(bytes.chunks);
    expect(content.equals(readFileSync(`${testMediaFolder}/${mediaFiles.mp3}`))).toBe(true);
    expect(bytes.totalBytes()).toBe(content.length);
    expect(await readdir(context.folder)).toEqual([]);
  });

  test("whose server limits each connection comes over several", async () => {
    let connections = 0;
    let mostConnections = 0;
    const url = await serve((request, response) => {
      mostConnections = Math.max(mostConnections, (connections += 1));
      response.on("close", () => (connections -= 1));
      void sendSlowly(response, answerRange(request, response, noise), 3 * mib);
    });
    expect((await read(...formatAt(url))).equals(noise)).toBe(true);
    expect(mostConnections).toBeGreaterThan(1);
  });

  test("whose server says that it knows ranges and does not comes whole all the same", async () => {
    let ranged = 0;
    const url = await serve((request, response) => {
      if (request.headers.range !== undefined) ranged += 1;
      const rate = ranged === 0 ? 3 * mib : 1000 * mib;
      response.writeHead(200, { "content-length": noise.length, "accept-ranges": "bytes" });
      void sendSlowly(response, noise, rate);
    });
    expect((await read(...formatAt(url))).equals(noise)).toBe(true);
    expect(ranged).toBeGreaterThan(0);
  });

  test("that becomes another one when some of it was read is SourceChanged", async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      const body = answerRange(request, response, noise, `"${requests}"`);
      response.write(body.subarray(0, mib), () => response.destroy());
    });
    await expect(read(...formatAt(url))).rejects.toBeInstanceOf(SourceChanged);
  });

  test("whose address expires is asked for anew, and goes on where it was", async () => {
    let signed = 0;
    const starts: number[] = [];
    const whole = readFileSync(`${testMediaFolder}/${mediaFiles.mkv}`);
    const url = await serve((request, response) => {
      if (request.url === "/watch") {
        signed += 1;
        response.writeHead(302, { location: `/file?signature=${signed}&left=1` }).end();
        return;
      }
      const isValid = request.url === `/file?signature=${signed}&left=1` && starts.length < signed * 2;
      if (!isValid) {
        response.writeHead(403).end();
        return;
      }
      const body = answerRange(request, response, whole);
      starts.push(askedOf(request, whole.length).start);
      const isFirst = starts.length === 1;
      if (isFirst) {
        // The next one is refused.
        starts.push(-1);
        response.write(body.subarray(0, 150_000), () => response.destroy());
      } else response.end(body);
    });
    const context = await workshop.context();
    const source = await resolveSource(`${url}/watch`, context);
    const [format] = source.formats;
    if (!format) throw new Error("no format");
    expect((await read(format, source)).equals(whole)).toBe(true);
    expect(signed).toBe(2);
    expect(starts.at(-1)).toBe(150_000);
  });

  test("whose server asks for a pause in the middle comes whole", async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      if (requests === 2) response.writeHead(429, { "retry-after": "0" }).end();
      else if (requests === 3) response.writeHead(503).end();
      else {
        const body = answerRange(request, response, noise);
        if (requests > 1) response.end(body);
        else response.write(body.subarray(0, mib), () => response.destroy());
      }
    });
    expect((await read(...formatAt(url))).equals(noise)).toBe(true);
    expect(requests).toBe(4);
  });

  test("that is refused from the beginning is the refusal", async () => {
    const url = await serve((_, response) => response.writeHead(403).end());
    await expect(read(...formatAt(url))).rejects.toMatchObject({ code: "sign_in_required" });
  });

  test("that is not read is not asked for, and silence while nobody reads is none", async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      response.end(answerRange(request, response, noise));
    });
    const { chunks } = await open(...formatAt(url), { silenceMs: 300 });
    const iterator = chunks[Symbol.asyncIterator]();
    expect(requests).toBe(0);
    let got = 0;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      if (got === 0) await sleep(600);
      got += next.value.length;
    }
    expect(got).toBe(noise.length);
  });
});

describe("segments", () => {
  const parts = Array.from({ length: 12 }, (_, index) =>
    noise.subarray(index * 100_000, (index + 1) * 100_000),
  );
  const whole = Buffer.concat(parts);
  const playlistType = { "content-type": "application/vnd.apple.mpegurl" };

  function playlist(...lines: string[]): string {
    return ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2", ...lines, "#EXT-X-ENDLIST"].join("\n");
  }

  test("that are cut are taken up where they broke", async () => {
    const cut = new Set<string>();
    const url = await serve((request, response) => {
      const name = request.url ?? "";
      const body = answerRange(request, response, parts[Number(name.slice(1))] ?? Buffer.alloc(0));
      if (cut.has(name)) response.end(body);
      else response.write(body.subarray(0, 40_000), () => response.destroy());
      cut.add(name);
    });
    const fragments = parts.map((_, index) => `${url}/${index}`);
    expect((await read(...formatAt(url, { protocol: "fragments", fragments }))).equals(whole)).toBe(true);
  });

  test("that are encrypted by AES-128 are decrypted, with one request for their key", async () => {
    const key = randomBytes(16);
    const vector = randomBytes(16);
    let keyRequests = 0;
    const url = await serve((request, response) => {
      if (request.url === "/list.m3u8") {
        const keyLine = `#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x${vector.toString("hex")}`;
        const lines = parts.flatMap((_, index) => ["#EXTINF:2,", `${index}`]);
        response.writeHead(200, playlistType).end(playlist(keyLine, ...lines));
      } else if (request.url === "/key") {
        keyRequests += 1;
        response.end(key);
      } else {
        const part = parts[Number(request.url?.slice(1))] ?? Buffer.alloc(0);
        const cipher = createCipheriv("aes-128-cbc", key, vector);
        response.end(answerRange(request, response, Buffer.concat([cipher.update(part), cipher.final()])));
      }
    });
    const got = await read(...formatAt(`${url}/list.m3u8`, { protocol: "playlist" }));
    expect(got.equals(whole)).toBe(true);
    expect(keyRequests).toBe(1);
  });

  test("that cannot be decrypted are invalid_media", async () => {
    const url = await serve((request, response) => {
      const keyLine = '#EXT-X-KEY:METHOD=AES-128,URI="key"';
      if (request.url === "/list.m3u8")
        response.writeHead(200, playlistType).end(playlist(keyLine, "#EXTINF:2,", "0"));
      else response.end(request.url === "/key" ? randomBytes(16) : parts[0]);
    });
    const got = read(...formatAt(`${url}/list.m3u8`, { protocol: "playlist" }));
    await expect(got).rejects.toMatchObject({ code: "invalid_media" });
  });

  test("that are ranges of one file come in order, and only from that file", async () => {
    let etag = '"one"';
    const url = await serve((request, response) => {
      if (request.url === "/list.m3u8") {
        const lines = parts
          .slice(1)
          .flatMap((part) => ["#EXTINF:2,", `#EXT-X-BYTERANGE:${part.length}`, "all"]);
        lines[1] += "@100000";
        const map = '#EXT-X-MAP:URI="all",BYTERANGE="100000@0"';
        response.writeHead(200, playlistType).end(playlist(map, ...lines));
      } else {
        response.end(answerRange(request, response, whole, etag));
      }
    });
    const [format, source] = formatAt(`${url}/list.m3u8`, { protocol: "playlist" });
    expect((await read(format, source)).equals(whole)).toBe(true);

    const { chunks } = await open(format, source);
    const changing = async () => {
      for await (const chunk of chunks) if (chunk.length > 0) etag = '"two"';
    };
    await expect(changing()).rejects.toBeInstanceOf(SourceChanged);
  });

  test("of a list that goes on are live", async () => {
    const live = playlist("#EXTINF:2,", "0").replace("#EXT-X-ENDLIST", "");
    const url = await serve((_, response) => response.writeHead(200, playlistType).end(live));
    await expect(read(...formatAt(url, { protocol: "playlist" }))).rejects.toMatchObject({
      code: "unsupported_url",
    });
  });
});
