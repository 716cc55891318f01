import { readFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openFormat } from "../../../processor/download/open-format.ts";
import { resolveBySystem } from "../../../processor/network/address-guard.ts";
import { startNetwork } from "../../../processor/network/network.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";
import { SourceChanged } from "../../../processor/network/network-failure.ts";
import { resolveSource } from "../../../processor/source/resolve-source.ts";
import { mediaFiles } from "../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";
import {
  answerRange,
  askedOf,
  formatAt,
  openDownloadWorkshop,
  sendSlowly,
  type DownloadWorkshop,
} from "./test-format.ts";

let workshop: DownloadWorkshop;

beforeAll(async () => {
  workshop = await openDownloadWorkshop();
});
afterAll(() => workshop.close());

const mib = 1024 * 1024;
const noise = randomBytes(20 * mib);
const contentOf = (file: string) => readFileSync(`${testMediaFolder}/${file}`);

describe("a file", () => {
  test("that is itself media arrives with a single request", async () => {
    const before = workshop.origin.requests.length;
    const outcome = await workshop.fetchFrom(`${workshop.origin.url}/${mediaFiles.mp4}`);
    expect(outcome.content.equals(contentOf(mediaFiles.mp4))).toBe(true);
    const { length } = outcome.content;
    expect(outcome.bytes.totalBytes()).toBe(length);
    expect(outcome.progress.at(-1)).toEqual([length, length]);
    expect(workshop.origin.requests.length).toBe(before + 1);
  });

  test("that breaks off once is resumed where it broke off", async () => {
    const whole = contentOf(mediaFiles.mkv);
    const outcome = await workshop.fetchFrom(`${workshop.origin.url}/cut-once/${mediaFiles.mkv}`);
    expect(outcome.content.equals(whole)).toBe(true);
    expect(workshop.origin.requests.at(-1)?.range).toBe(
      `bytes=${Math.floor(whole.length / 2)}-${whole.length - 1}`,
    );
  });

  test("that breaks off every time ends as source_error, and not as a file", async () => {
    const fetching = workshop.fetchFrom(`${workshop.origin.url}/cut/${mediaFiles.mp3}`);
    await expect(fetching).rejects.toMatchObject({ name: "JobFailure", code: "source_error" });
  });

  test("whose server answers every resumption with no data ends as source_error, after few requests", async () => {
    let requests = 0;
    const url = await workshop.serve((request, response) => {
      requests += 1;
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      const body = start === 0 ? Buffer.alloc(5000) : Buffer.alloc(0);
      const last = start === 0 ? body.length - 1 : start;
      response.writeHead(206, {
        "content-range": `bytes ${start}-${last}/300000`,
        "content-length": body.length,
      });
      response.end(body);
    });
    const fetching = workshop.fetch(...formatAt(url));
    await expect(fetching).rejects.toMatchObject({ name: "JobFailure", code: "source_error" });
    expect(requests).toBeLessThan(10);
  });

  test("whose server hangs up right after the last byte is never requested beyond its end", async () => {
    const body = Buffer.alloc(300_000, 7);
    const starts: number[] = [];
    const server = createTcpServer((socket) => {
      socket.once("data", (request) => {
        const start = Number(/range: bytes=(\d+)-/i.exec(request.toString())?.[1] ?? 0);
        starts.push(start);
        const range = `content-range: bytes ${start}-${body.length - 1}/${body.length}\r\n`;
        socket.write(
          `HTTP/1.1 206 Partial Content\r\n${range}content-length: ${body.length - start}\r\n\r\n`,
        );
        socket.end(body.subarray(start));
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const outcome = await workshop.fetch(...formatAt(`http://127.0.0.1:${listeningPort(server)}/file`));
    server.close();
    expect(outcome.content.equals(body)).toBe(true);
    expect(starts.filter((start) => start >= body.length)).toEqual([]);
  });

  test("that breaks off again and again but makes progress arrives complete", async () => {
    const whole = contentOf(mediaFiles.mkv);
    const pieceBytes = Math.ceil(whole.length / 8);
    const url = await workshop.serve((request, response) => {
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      const rest = whole.subarray(start);
      response.writeHead(start === 0 ? 200 : 206, {
        "content-length": rest.length,
        ...(start > 0 && { "content-range": `bytes ${start}-${whole.length - 1}/${whole.length}` }),
      });
      if (rest.length <= pieceBytes) response.end(rest);
      else response.write(rest.subarray(0, pieceBytes), () => response.destroy());
    });
    const outcome = await workshop.fetch(...formatAt(url));
    expect(outcome.content.equals(whole)).toBe(true);
  });

  test("without range support starts over when it breaks off", async () => {
    const whole = contentOf(mediaFiles.mp3);
    let requests = 0;
    const url = await workshop.serve((_, response) => {
      requests += 1;
      response.writeHead(200, { "content-length": whole.length });
      if (requests > 1) response.end(whole);
      else response.write(whole.subarray(0, 50_000), () => response.destroy());
    });
    const outcome = await workshop.fetch(...formatAt(url));
    expect(outcome.content.equals(whole)).toBe(true);
    expect(requests).toBe(2);
  });

  test("whose server refuses to resume starts over", async () => {
    const whole = Buffer.alloc(100_000, "a");
    let requests = 0;
    const url = await workshop.serve((request, response) => {
      requests += 1;
      if (request.headers.range !== undefined) response.writeHead(416).end();
      else if (requests > 1) response.end(whole);
      else {
        response.writeHead(200, { "content-length": whole.length });
        response.write(whole.subarray(0, 50_000), () => response.destroy());
      }
    });
    const outcome = await workshop.fetch(...formatAt(url));
    expect(outcome.content.equals(whole)).toBe(true);
  });

  test("whose server sends another range than requested is source_error", async () => {
    const url = await workshop.serve((request, response) => {
      if (request.headers.range === undefined) {
        response.writeHead(200, { "content-length": 100_000 });
        response.write(Buffer.alloc(50_000), () => response.destroy());
      } else {
        response.writeHead(206, { "content-range": "bytes 70000-99999/100000" }).end(Buffer.alloc(30_000));
      }
    });
    await expect(workshop.fetch(...formatAt(url))).rejects.toMatchObject({
      code: "source_error",
    });
  });

  test("of a source that is slow on large requests is requested in ranges", async () => {
    const whole = contentOf(mediaFiles.mp3);
    const before = workshop.origin.requests.length;
    const outcome = await workshop.fetch(
      ...formatAt(`${workshop.origin.url}/${mediaFiles.mp3}`, { rangeBytes: 40_000 }),
    );
    expect(outcome.content.equals(whole)).toBe(true);
    expect(workshop.origin.requests.slice(before).map((request) => request.range)).toEqual([
      "bytes=0-39999",
      "bytes=40000-79999",
      `bytes=80000-${whole.length - 1}`,
    ]);
  });

  test("without a declared length is read to its end", async () => {
    const whole = contentOf(mediaFiles.mp3);
    const url = await workshop.serve((_, response) => {
      response.write(whole.subarray(0, 1000));
      response.end(whole.subarray(1000));
    });
    const outcome = await workshop.fetch(...formatAt(url));
    expect(outcome.content.equals(whole)).toBe(true);
    expect(outcome.progress.at(-1)).toEqual([whole.length, null]);
  });

  test("for which the source specifies headers is requested with them", async () => {
    const url = await workshop.serve((request, response) => response.end(request.headers.referer ?? "none"));
    const outcome = await workshop.fetch(
      ...formatAt(url, { headers: { Referer: "https://media.example/page" } }),
    );
    expect(outcome.content.toString()).toBe("https://media.example/page");
  });

  test("whose server limits each connection is fetched over several", async () => {
    let connections = 0;
    let mostConnections = 0;
    const url = await workshop.serve((request, response) => {
      mostConnections = Math.max(mostConnections, (connections += 1));
      response.on("close", () => (connections -= 1));
      void sendSlowly(response, answerRange(request, response, noise), 3 * mib);
    });
    expect((await workshop.fetch(...formatAt(url))).content.equals(noise)).toBe(true);
    expect(mostConnections).toBeGreaterThan(1);
  });

  test("whose server wrongly declares range support arrives complete nevertheless", async () => {
    let ranged = 0;
    const url = await workshop.serve((request, response) => {
      if (request.headers.range !== undefined) ranged += 1;
      const rate = ranged === 0 ? 3 * mib : 1000 * mib;
      response.writeHead(200, { "content-length": noise.length, "accept-ranges": "bytes" });
      void sendSlowly(response, noise, rate);
    });
    expect((await workshop.fetch(...formatAt(url))).content.equals(noise)).toBe(true);
    expect(ranged).toBeGreaterThan(0);
  });

  test("that changes after some of it was read is SourceChanged", async () => {
    let requests = 0;
    const url = await workshop.serve((request, response) => {
      requests += 1;
      const body = answerRange(request, response, noise, `"${requests}"`);
      response.write(body.subarray(0, mib), () => response.destroy());
    });
    await expect(workshop.fetch(...formatAt(url))).rejects.toBeInstanceOf(SourceChanged);
  });

  test("whose server asks for a pause halfway arrives complete", async () => {
    let requests = 0;
    const url = await workshop.serve((request, response) => {
      requests += 1;
      if (requests === 2) response.writeHead(429, { "retry-after": "0" }).end();
      else if (requests === 3) response.writeHead(503).end();
      else {
        const body = answerRange(request, response, noise);
        if (requests > 1) response.end(body);
        else response.write(body.subarray(0, mib), () => response.destroy());
      }
    });
    expect((await workshop.fetch(...formatAt(url))).content.equals(noise)).toBe(true);
    // More if the rest takes so long that additional connections are tried.
    expect(requests).toBeGreaterThanOrEqual(4);
  });

  test("that is refused from the start fails with that refusal", async () => {
    const url = await workshop.serve((_, response) => response.writeHead(403).end());
    await expect(workshop.fetch(...formatAt(url))).rejects.toMatchObject({ code: "sign_in_required" });
  });

  test("is yielded as its bytes, and leaves nothing on disk", async () => {
    const download = await workshop.download();
    const { content, bytes } = await workshop.fetchFrom(`${workshop.origin.url}/${mediaFiles.mp3}`, download);
    expect(content.equals(contentOf(mediaFiles.mp3))).toBe(true);
    expect(bytes.totalBytes()).toBe(content.length);
    expect(await readdir(download.folder)).toEqual([]);
  });

  test("that is different according to its validator is never mixed with the first one of that server", async () => {
    const older = Buffer.alloc(100_000, "a");
    const newer = Buffer.alloc(90_000, "b");
    const url = await workshop.serve((request, response) => {
      if (request.headers["if-range"] === undefined) {
        response.writeHead(200, { "content-length": older.length, etag: '"older"' });
        response.write(older.subarray(0, 50_000), () => response.destroy());
      } else {
        response.writeHead(200, { "content-length": newer.length, etag: '"newer"' }).end(newer);
      }
    });
    await expect(workshop.fetch(...formatAt(url))).rejects.toBeInstanceOf(SourceChanged);
  });

  test("whose URL expires again and again is requested under new ones, and continues where it was", async () => {
    const whole = contentOf(mediaFiles.mkv);
    const starts: number[] = [];
    let signed = 0;
    let valid = 0;
    const url = await workshop.serve((request, response) => {
      if (request.url === "/watch") {
        valid = signed += 1;
        response.writeHead(302, { location: `/file?signature=${signed}` }).end();
      } else if (request.url !== `/file?signature=${valid}`) {
        response.writeHead(403).end();
      } else {
        const body = answerRange(request, response, whole);
        const { start } = askedOf(request, whole.length);
        starts.push(start);
        // A look at a new address does not use it up.
        if (start === 0 && signed > 1) {
          response.end(body);
          return;
        }
        if (body.length <= 150_000) response.end(body);
        else response.write(body.subarray(0, 150_000), () => response.destroy());
        valid = 0;
      }
    });
    const { content } = await workshop.fetchFrom(`${url}/watch`);
    expect(content.equals(whole)).toBe(true);
    expect(signed).toBeGreaterThan(3);
    expect(starts).toContain(150_000);
  });

  test("that stalls is connection_timeout", async () => {
    const limits = { source_file_bytes: 1e9, source_silence_ms: 500 };
    const fetching = workshop.fetchFrom(`${workshop.origin.url}/stall/${mediaFiles.mp4}`, { limits });
    await expect(fetching).rejects.toMatchObject({ code: "connection_timeout" });
  });

  test("that nobody continues to read does not block others waiting for a connection", async () => {
    const open = new Set<ServerResponse>();
    let mostConnections = 0;
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      open.add(response);
      response.on("close", () => open.delete(response));
      // The end of one that was closed for this one may arrive after it; those still in use stay until they are answered.
      for (let turn = 0; turn < 1000 && open.size > 2; turn += 1) await nextTurn();
      mostConnections = Math.max(mostConnections, open.size);
      response.end(answerRange(request, response, noise));
    };
    const url = await workshop.serve((request, response) => void answer(request, response));
    const network = await startNetwork({ allowPrivateNetwork: true }, resolveBySystem, 2);
    const download = await workshop.download({ network });
    const files = Array.from({ length: 5 }, () => openFormat(...formatAt(url), download).chunks);
    const begun = files.map(async (chunks) => {
      const iterator = chunks[Symbol.asyncIterator]();
      return { iterator, first: await iterator.next() };
    });
    // Each has yielded its first bytes before any is read further.
    const readers = await Promise.all(begun);
    const contents = readers.map(async ({ iterator, first }) => {
      const chunks: Buffer[] = [];
      for (let next = first; next.done !== true; next = await iterator.next()) chunks.push(next.value);
      return Buffer.concat(chunks);
    });
    for (const content of await Promise.all(contents)) expect(content.equals(noise)).toBe(true);
    expect(mostConnections).toBe(2);
    await network.close();
  });

  test("that is not read is not requested, and silence while nobody reads does not count", async () => {
    let requests = 0;
    const url = await workshop.serve((request, response) => {
      requests += 1;
      response.end(answerRange(request, response, noise));
    });
    const limits = { source_file_bytes: 1e9, source_silence_ms: 300 };
    const { chunks } = openFormat(...formatAt(url), await workshop.download({ limits }));
    expect(requests).toBe(0);
    let got = 0;
    for await (const chunk of chunks) {
      if (got === 0) await sleep(600);
      got += chunk.length;
    }
    expect(got).toBe(noise.length);
  });

  test("that is declared too large is not fetched, and one that grows too large is stopped", async () => {
    const limits = { source_file_bytes: 50_000, source_silence_ms: 30_000 };
    const declared = workshop.fetchFrom(`${workshop.origin.url}/${mediaFiles.mp3}`, { limits });
    await expect(declared).rejects.toMatchObject({ code: "too_large" });
    const url = await workshop.serve((_, response) => {
      const more = () => response.write(Buffer.alloc(16_384), (error) => error ?? more());
      more();
    });
    const growing = workshop.fetch(...formatAt(url), { limits });
    await expect(growing).rejects.toMatchObject({ code: "too_large" });
  });

  test("ends with the signal's reason when that is aborted", async () => {
    const controller = new AbortController();
    const fetching = workshop.fetch(...formatAt(`${workshop.origin.url}/stall/${mediaFiles.mp4}`), {
      signal: controller.signal,
      onBytes: () => controller.abort(new Error("cancelled")),
    });
    await expect(fetching).rejects.toThrow("cancelled");
  });

  test("from the first request also ends with the signal of its download", async () => {
    const source = await resolveSource(
      `${workshop.origin.url}/stall/${mediaFiles.mp4}`,
      await workshop.download(),
    );
    const [format] = source.formats;
    if (!format) throw new Error("no format");
    const controller = new AbortController();
    const fetching = workshop.fetch(format, source, {
      signal: controller.signal,
      onBytes: () => controller.abort(new Error("cancelled")),
    });
    await expect(fetching).rejects.toThrow("cancelled");
  });
});
