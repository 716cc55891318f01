import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { downloadFormat } from "../../../processor/download/download-format.ts";
import type { DownloadedFile } from "../../../processor/download/download.ts";
import { resolveSource } from "../../../processor/source/resolve-source.ts";
import type { SourceContext } from "../../../processor/source/source-context.ts";
import type { Source, SourceFormat } from "../../../processor/source/source.ts";
import { mediaFiles, mediaSeconds } from "../../../scripts/origin/make-media.ts";
import type { Origin } from "../../../scripts/origin/serve-origin.ts";
import { startTestOrigin, testMediaFolder } from "../../origin/test-origin.ts";
import { openSourceWorkshop, type SourceWorkshop } from "../source/test-context.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";

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

const contentOf = (file: string) => readFileSync(`${testMediaFolder}/${file}`);

interface Outcome extends DownloadedFile {
  readonly content: Buffer;
  readonly progress: [number, number | null][];
}

/** Resolves a URL and fetches one of its formats: the best, or the one named. */
async function fetchFrom(url: string, context: SourceContext, formatId?: string): Promise<Outcome> {
  const source = await resolveSource(url, context);
  const format = formatId ? source.formats.find(({ id }) => id === formatId) : source.formats.at(-1);
  if (!format) throw new Error("no such format");
  return fetchFormat(format, source, context);
}

async function fetchFormat(format: SourceFormat, source: Source, context: SourceContext): Promise<Outcome> {
  const progress: [number, number | null][] = [];
  const file = await downloadFormat(format, source, {
    ...context,
    downloadMemory: workshop.downloadMemory,
    fileName: "fetched",
    onBytes: (received, total) => progress.push([received, total]),
  });
  return { ...file, content: readFileSync(file.path), progress };
}

/** A source whose one format is a file at `url`, not looked at yet. */
function fileAt(url: string, more: Partial<SourceFormat> = {}): { format: SourceFormat; source: Source } {
  const format: SourceFormat = {
    id: "file",
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
  return {
    format,
    source: {
      url,
      title: null,
      durationSeconds: null,
      listed: { language: null, subtitles: [], thumbnails: [] },
      formats: [format],
      infoPath: null,
      firstLook: null,
    },
  };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${listeningPort(server)}/file`;
}

describe("a file", () => {
  test("that is media itself comes in the one request of the first look", async () => {
    const before = origin.requests.length;
    const outcome = await fetchFrom(`${origin.url}/${mediaFiles.mp4}`, await workshop.context());
    expect(outcome.content.equals(contentOf(mediaFiles.mp4))).toBe(true);
    expect(outcome.bytes).toBe(outcome.content.length);
    expect(outcome.progress.at(-1)).toEqual([outcome.bytes, outcome.bytes]);
    expect(origin.requests.length).toBe(before + 1);
  });

  test("that is cut once is taken up where it broke", async () => {
    const whole = contentOf(mediaFiles.mkv);
    const outcome = await fetchFrom(`${origin.url}/cut-once/${mediaFiles.mkv}`, await workshop.context());
    expect(outcome.content.equals(whole)).toBe(true);
    expect(origin.requests.at(-1)?.range).toBe(`bytes=${Math.floor(whole.length / 2)}-${whole.length - 1}`);
  });

  test("that is cut every time ends as source_error, and not as a file", async () => {
    const fetching = fetchFrom(`${origin.url}/cut/${mediaFiles.mp3}`, await workshop.context());
    await expect(fetching).rejects.toMatchObject({ name: "JobFailure", code: "source_error" });
  });

  test("whose server answers each resumption with nothing ends as source_error, after few requests", async () => {
    let requests = 0;
    const url = await serve((request, response) => {
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
    const { format, source } = fileAt(url);
    const fetching = fetchFormat(format, source, await workshop.context());
    await expect(fetching).rejects.toMatchObject({ name: "JobFailure", code: "source_error" });
    expect(requests).toBeLessThan(10);
  });

  test("whose server hangs up at once after the last byte is never asked for more than it has", async () => {
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
    const { format, source } = fileAt(`http://127.0.0.1:${listeningPort(server)}/file`);
    const outcome = await fetchFormat(format, source, await workshop.context());
    server.close();
    expect(outcome.content.equals(body)).toBe(true);
    expect(starts.filter((start) => start >= body.length)).toEqual([]);
  });

  test("that becomes another one while it is fetched is begun anew, never mixed", async () => {
    const first = Buffer.alloc(200_000, 1);
    const second = Buffer.alloc(150_000, 2);
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      if (requests === 1) {
        response.writeHead(200, { "content-length": first.length, "accept-ranges": "bytes" });
        response.write(first.subarray(0, 100_000), () => response.destroy());
        return;
      }
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      const range = `bytes ${start}-${second.length - 1}/${second.length}`;
      const headers = { "content-length": second.length - start, "content-range": range };
      response.writeHead(start === 0 ? 200 : 206, headers).end(second.subarray(start));
    });
    const { format, source } = fileAt(url);
    const outcome = await fetchFormat(format, source, await workshop.context());
    expect(outcome.content.equals(second)).toBe(true);
  });

  test("of a server that cuts again and again but gets on comes whole", async () => {
    const whole = contentOf(mediaFiles.mkv);
    const pieceBytes = Math.ceil(whole.length / 8);
    const url = await serve((request, response) => {
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      const rest = whole.subarray(start);
      response.writeHead(start === 0 ? 200 : 206, {
        "content-length": rest.length,
        ...(start > 0 && { "content-range": `bytes ${start}-${whole.length - 1}/${whole.length}` }),
      });
      if (rest.length <= pieceBytes) response.end(rest);
      else response.write(rest.subarray(0, pieceBytes), () => response.destroy());
    });
    const { format, source } = fileAt(url);
    const outcome = await fetchFormat(format, source, await workshop.context());
    expect(outcome.content.equals(whole)).toBe(true);
  });

  test("without ranges starts over when it was cut", async () => {
    const whole = contentOf(mediaFiles.mp3);
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.writeHead(200, { "content-length": whole.length });
      if (requests > 1) response.end(whole);
      else response.write(whole.subarray(0, 50_000), () => response.destroy());
    });
    const { format, source } = fileAt(url);
    const outcome = await fetchFormat(format, source, await workshop.context());
    expect(outcome.content.equals(whole)).toBe(true);
    expect(requests).toBe(2);
  });

  test("that changed while it was cut is never mixed of two: the new one comes whole", async () => {
    const older = Buffer.alloc(100_000, "a");
    const newer = Buffer.alloc(90_000, "b");
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      if (requests === 1) {
        response.writeHead(200, { "content-length": older.length, etag: '"older"' });
        response.write(older.subarray(0, 50_000), () => response.destroy());
      } else {
        response.writeHead(200, { "content-length": newer.length, etag: '"newer"' }).end(newer);
      }
    });
    const { format, source } = fileAt(url);
    const outcome = await fetchFormat(format, source, await workshop.context());
    expect(outcome.content.equals(newer)).toBe(true);
  });

  test("whose server refuses to go on starts over", async () => {
    const whole = Buffer.alloc(100_000, "a");
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      if (request.headers.range !== undefined) response.writeHead(416).end();
      else if (requests > 1) response.end(whole);
      else {
        response.writeHead(200, { "content-length": whole.length });
        response.write(whole.subarray(0, 50_000), () => response.destroy());
      }
    });
    const { format, source } = fileAt(url);
    const outcome = await fetchFormat(format, source, await workshop.context());
    expect(outcome.content.equals(whole)).toBe(true);
  });

  test("whose server sends another range than asked is source_error", async () => {
    const url = await serve((request, response) => {
      if (request.headers.range === undefined) {
        response.writeHead(200, { "content-length": 100_000 });
        response.write(Buffer.alloc(50_000), () => response.destroy());
      } else {
        response.writeHead(206, { "content-range": "bytes 70000-99999/100000" }).end(Buffer.alloc(30_000));
      }
    });
    const { format, source } = fileAt(url);
    await expect(fetchFormat(format, source, await workshop.context())).rejects.toMatchObject({
      code: "source_error",
    });
  });

  test("of a source that is slow on large requests is asked for in ranges", async () => {
    const whole = contentOf(mediaFiles.mp3);
    const before = origin.requests.length;
    const { format, source } = fileAt(`${origin.url}/${mediaFiles.mp3}`, { rangeBytes: 40_000 });
    const outcome = await fetchFormat(format, source, await workshop.context());
    expect(outcome.content.equals(whole)).toBe(true);
    expect(origin.requests.slice(before).map((request) => request.range)).toEqual([
      "bytes=0-39999",
      "bytes=40000-79999",
      `bytes=80000-${whole.length - 1}`,
    ]);
  });

  test("without a declared length comes to its end", async () => {
    const whole = contentOf(mediaFiles.mp3);
    const url = await serve((_, response) => {
      response.write(whole.subarray(0, 1000));
      response.end(whole.subarray(1000));
    });
    const { format, source } = fileAt(url);
    const outcome = await fetchFormat(format, source, await workshop.context());
    expect(outcome.content.equals(whole)).toBe(true);
    expect(outcome.progress.at(-1)).toEqual([whole.length, null]);
  });

  test("that stalls is connection_timeout", async () => {
    const limits = { source_file_bytes: 1e9, source_silence_ms: 500 };
    const context = await workshop.context({ limits });
    const fetching = fetchFrom(`${origin.url}/stall/${mediaFiles.mp4}`, context);
    await expect(fetching).rejects.toMatchObject({ code: "connection_timeout" });
  });

  test("that says it is too large is not fetched, and one that grows too large is stopped", async () => {
    const limits = { source_file_bytes: 50_000, source_silence_ms: 30_000 };
    const declared = await workshop.context({ limits });
    await expect(fetchFrom(`${origin.url}/${mediaFiles.mp3}`, declared)).rejects.toMatchObject({
      code: "too_large",
    });
    const url = await serve((_, response) => {
      const more = () => response.write(Buffer.alloc(16_384), (error) => error ?? more());
      more();
    });
    const { format, source } = fileAt(url);
    await expect(fetchFormat(format, source, await workshop.context({ limits }))).rejects.toMatchObject({
      code: "too_large",
    });
  });

  test("whose headers the source asks for is fetched with them", async () => {
    const url = await serve((request, response) => response.end(request.headers.referer ?? "none"));
    const { format, source } = fileAt(url, { headers: { Referer: "https://media.example/page" } });
    const outcome = await fetchFormat(format, source, await workshop.context());
    expect(outcome.content.toString()).toBe("https://media.example/page");
  });

  test("ends with the signal's reason when it aborts", async () => {
    const controller = new AbortController();
    const context = await workshop.context({ signal: controller.signal });
    const { format, source } = fileAt(`${origin.url}/stall/${mediaFiles.mp4}`);
    const fetching = downloadFormat(format, source, {
      ...context,
      downloadMemory: workshop.downloadMemory,
      fileName: "fetched",
      onBytes: () => controller.abort(new Error("cancelled")),
    });
    await expect(fetching).rejects.toThrow("cancelled");
  });

  test("of the first look ends with the signal of its download too", async () => {
    const context = await workshop.context();
    const source = await resolveSource(`${origin.url}/stall/${mediaFiles.mp4}`, context);
    const [format] = source.formats;
    if (!format) throw new Error("no format");
    const controller = new AbortController();
    const fetching = downloadFormat(format, source, {
      ...context,
      downloadMemory: workshop.downloadMemory,
      signal: controller.signal,
      fileName: "fetched",
      onBytes: () => controller.abort(new Error("cancelled")),
    });
    await expect(fetching).rejects.toThrow("cancelled");
  });

  test("that cannot be written is no failure of the source", async () => {
    const context = { ...(await workshop.context()), folder: "/no/such/folder" };
    const { format, source } = fileAt(`${origin.url}/${mediaFiles.mp3}`);
    await expect(fetchFormat(format, source, context)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("segments", () => {
  const infoOf = (source: Source) => JSON.parse(readFileSync(source.infoPath ?? "", "utf8"));

  test.each([
    [mediaFiles.dash, "the picture", "h264"],
    [mediaFiles.hls, "picture and sound", "h264"],
  ])("of %s come as %s", async (file, _, codec) => {
    const outcome = await fetchFrom(`${origin.url}/${file}`, await workshop.context());
    const probe = await execa("ffprobe", [
      "-v",
      "error",
      "-show_entries",
      "stream=codec_name:format=duration",
      outcome.path,
    ]);
    expect(probe.stdout).toContain(`codec_name=${codec}`);
    expect(Number(/duration=([\d.]+)/.exec(probe.stdout)?.[1])).toBeCloseTo(mediaSeconds, 0);
    expect(outcome.bytes).toBe(outcome.content.length);
    expect(outcome.progress.at(-1)?.[0]).toBe(outcome.bytes);
  });

  test("of picture and sound can be fetched side by side", async () => {
    const context = await workshop.context();
    const source = await resolveSource(`${origin.url}/${mediaFiles.dash}`, context);
    const [sound, ...pictures] = source.formats;
    const picture = pictures.at(-1);
    if (!sound || !picture) throw new Error("formats are missing");
    const fetching = [sound, picture].map((format) =>
      downloadFormat(format, source, {
        ...context,
        downloadMemory: workshop.downloadMemory,
        fileName: `of-${format.id}`,
        onBytes: () => {},
      }),
    );
    const files = await Promise.all(fetching);
    for (const file of files) expect(readFileSync(file.path).length).toBe(file.bytes);
  });

  test.each([
    ["/status/404", "video_unavailable"],
    ["/status/403", "sign_in_required"],
    ["http://169.254.169.254/latest/meta-data", "unsupported_url"],
  ])("one of which answers %s make a failure and no file with a hole", async (to, code) => {
    const context = await workshop.context();
    const playlist = [
      "#EXTM3U",
      "#EXT-X-TARGETDURATION:2",
      "#EXTINF:2,",
      `${origin.url}/hls/0-000.ts`,
      "#EXTINF:2,",
      new URL(to, origin.url).href,
      "#EXTINF:2,",
      `${origin.url}/hls/0-002.ts`,
      "#EXT-X-ENDLIST",
    ].join("\n");
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-type": "application/vnd.apple.mpegurl" }).end(playlist),
    );
    await expect(fetchFrom(url, context)).rejects.toMatchObject({ name: "JobFailure", code });
  });

  test("that stop coming are connection_timeout", async () => {
    const context = await workshop.context();
    const source = await resolveSource(`${origin.url}/${mediaFiles.dash}`, context);
    const limits = { source_file_bytes: 1e9, source_silence_ms: 700 };
    const format = source.formats.at(-1);
    if (!format) throw new Error("no format");
    const fragments = format.fragments.map((url) => url.replace("/dash/", "/stall/dash/"));
    const fetching = fetchFormat({ ...format, fragments }, source, { ...context, limits });
    await expect(fetching).rejects.toMatchObject({ code: "connection_timeout" });
  });

  test("that only the downloader program can fetch and that stop coming are connection_timeout, and it is gone", async () => {
    const context = await workshop.context();
    const source = await resolveSource(`${origin.url}/${mediaFiles.dash}`, context);
    const stalling = withSegmentsAt(infoOf(source), `${origin.url}/stall/dash/`);
    writeFileSync(source.infoPath ?? "", JSON.stringify(stalling));
    const limits = { source_file_bytes: 1e9, source_silence_ms: 3000 };
    const fetching = fetchFormat(byProgram(source.formats.at(-1)), source, { ...context, limits });
    await expect(fetching).rejects.toMatchObject({ code: "connection_timeout" });
    expect(processesIn(context.folder)).toEqual([]);
  });

  test("that grow too large are stopped", async () => {
    const limits = { source_file_bytes: 200_000, source_silence_ms: 30_000 };
    const context = await workshop.context({ limits });
    await expect(fetchFrom(`${origin.url}/${mediaFiles.hls}`, context)).rejects.toMatchObject({
      code: "too_large",
    });
    const source = await resolveSource(`${origin.url}/${mediaFiles.hls}`, context);
    const byTheProgram = fetchFormat(byProgram(source.formats.at(-1)), source, context);
    await expect(byTheProgram).rejects.toMatchObject({ code: "too_large" });
    expect(processesIn(context.folder)).toEqual([]);
  });

  test("end with the signal's reason when it aborts, and leave no process", async () => {
    const controller = new AbortController();
    const context = await workshop.context({ signal: controller.signal });
    const source = await resolveSource(`${origin.url}/slow/${mediaFiles.hls}`, context);
    const format = byProgram(source.formats.at(-1));
    const running: number[] = [];
    const fetching = downloadFormat(format, source, {
      ...context,
      downloadMemory: workshop.downloadMemory,
      fileName: "fetched",
      onBytes: () => {
        running.push(...processesIn(context.folder));
        controller.abort(new Error("cancelled"));
      },
    });
    await expect(fetching).rejects.toThrow("cancelled");
    expect(running.length).toBeGreaterThan(0);
    await vi.waitUntil(() => processesIn(context.folder).length === 0);
  });

  function byProgram(format: SourceFormat | undefined): SourceFormat {
    if (!format) throw new Error("no format");
    return { ...format, protocol: "program" };
  }

  function withSegmentsAt(info: { formats: object[] }, base: string): object {
    return { ...info, formats: info.formats.map((format) => ({ ...format, fragment_base_url: base })) };
  }

  /** Processes that work in a folder: those of one test's programs. */
  function processesIn(folder: string): number[] {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    });
  }
});
