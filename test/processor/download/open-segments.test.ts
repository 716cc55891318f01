import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { createCipheriv, randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openFormat } from "../../../processor/download/open-format.ts";
import { SourceChanged } from "../../../processor/network/network-failure.ts";
import { resolveSource } from "../../../processor/source/resolve-source.ts";
import type { SourceFormat } from "../../../processor/source/source.ts";
import { mediaFiles } from "../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";
import { answerRange, formatAt, openDownloadWorkshop, type DownloadWorkshop } from "./test-format.ts";

let workshop: DownloadWorkshop;

beforeAll(async () => {
  workshop = await openDownloadWorkshop();
});
afterAll(() => workshop.close());

const noise = randomBytes(1_200_000);

function byProgram(format: SourceFormat | undefined): SourceFormat {
  if (!format) throw new Error("no format");
  return { ...format, protocol: "program" };
}

describe("segments", () => {
  const parts = Array.from({ length: 12 }, (_, index) =>
    noise.subarray(index * 100_000, (index + 1) * 100_000),
  );

  const whole = Buffer.concat(parts);

  const playlistType = { "content-type": "application/vnd.apple.mpegurl" };

  function playlist(...lines: string[]): string {
    return ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2", ...lines, "#EXT-X-ENDLIST"].join("\n");
  }

  test.each([
    [mediaFiles.dash, "the picture", "h264"],
    [mediaFiles.hls, "picture and sound", "h264"],
  ])("of %s come as %s", async (file, _, codec) => {
    const { content, progress } = await workshop.fetchFrom(`${workshop.origin.url}/${file}`);
    const entries = ["-show_entries", "stream=codec_name:format=duration"];
    const probe = await execa("ffprobe", ["-v", "error", ...entries, "pipe:0"], { input: content });
    expect(probe.stdout).toContain(`codec_name=${codec}`);
    expect(progress.at(-1)?.[0]).toBe(content.length);
  });

  test.each([mediaFiles.dash, mediaFiles.hls])("of %s equal the downloader's output", async (file) => {
    const download = await workshop.download();
    const source = await resolveSource(`${workshop.origin.url}/${file}`, download);
    for (const format of source.formats) {
      const own = await workshop.fetch(format, source);
      const others = await workshop.fetch(byProgram(format), source, download);
      expect(own.content.equals(others.content)).toBe(true);
    }
    expect(await readdir(download.folder)).toEqual(["description.json"]);
  });

  test("that stop arriving are connection_timeout", async () => {
    const limits = { source_file_bytes: 1e9, source_silence_ms: 700 };
    const source = await resolveSource(
      `${workshop.origin.url}/${mediaFiles.dash}`,
      await workshop.download(),
    );
    const [format] = source.formats;
    if (!format) throw new Error("no format");
    const fragmentBase = `${workshop.origin.url}/stall/dash/`;
    const fetching = workshop.fetch({ ...format, fragmentBase }, source, { limits });
    await expect(fetching).rejects.toMatchObject({ code: "connection_timeout" });
  });

  test("that grow too large are stopped", async () => {
    const limits = { source_file_bytes: 200_000, source_silence_ms: 30_000 };
    const fetching = workshop.fetchFrom(`${workshop.origin.url}/${mediaFiles.hls}`, { limits });
    await expect(fetching).rejects.toMatchObject({ code: "too_large" });
  });

  test.each([
    ["/status/404", "video_unavailable"],
    ["/status/403", "sign_in_required"],
    ["http://169.254.169.254/latest/meta-data", "unsupported_url"],
  ])("one of which answers %s cause a failure, not a file with a gap", async (to, code) => {
    const urls = [
      `${workshop.origin.url}/hls/0-000.ts`,
      new URL(to, workshop.origin.url).href,
      `${workshop.origin.url}/hls/0-002.ts`,
    ];
    const list = playlist(...urls.flatMap((segment) => ["#EXTINF:2,", segment]));
    const url = await workshop.serve((_, response) => response.writeHead(200, playlistType).end(list));
    await expect(workshop.fetchFrom(url)).rejects.toMatchObject({ name: "JobFailure", code });
  });

  test("that break off are resumed where they broke off", async () => {
    const cut = new Set<string>();
    const url = await workshop.serve((request, response) => {
      const name = request.url ?? "";
      const body = answerRange(request, response, parts[Number(name.slice(1))] ?? Buffer.alloc(0));
      if (cut.has(name)) response.end(body);
      else response.write(body.subarray(0, 40_000), () => response.destroy());
      cut.add(name);
    });
    const fragments = parts.map((_, index) => `${url}/${index}`);
    expect(
      (await workshop.fetch(...formatAt(url, { protocol: "fragments", fragments }))).content.equals(whole),
    ).toBe(true);
  });

  test("that are encrypted with AES-128 are decrypted, with a single request for their key", async () => {
    const key = randomBytes(16);
    const vector = randomBytes(16);
    let keyRequests = 0;
    const url = await workshop.serve((request, response) => {
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
    const { content: got } = await workshop.fetch(...formatAt(`${url}/list.m3u8`, { protocol: "playlist" }));
    expect(got.equals(whole)).toBe(true);
    expect(keyRequests).toBe(1);
  });

  test("that cannot be decrypted are invalid_media", async () => {
    const url = await workshop.serve((request, response) => {
      const keyLine = '#EXT-X-KEY:METHOD=AES-128,URI="key"';
      if (request.url === "/list.m3u8")
        response.writeHead(200, playlistType).end(playlist(keyLine, "#EXTINF:2,", "0"));
      else response.end(request.url === "/key" ? randomBytes(16) : parts[0]);
    });
    const got = workshop.fetch(...formatAt(`${url}/list.m3u8`, { protocol: "playlist" }));
    await expect(got).rejects.toMatchObject({ code: "invalid_media" });
  });

  test("that are ranges of one file arrive in order, and only from that file", async () => {
    let etag = '"one"';
    let file = whole;
    const url = await workshop.serve((request, response) => {
      if (request.url === "/list.m3u8") {
        const lines = parts
          .slice(1)
          .flatMap((part) => ["#EXTINF:2,", `#EXT-X-BYTERANGE:${part.length}`, "all"]);
        lines[1] += "@100000";
        const map = '#EXT-X-MAP:URI="all",BYTERANGE="100000@0"';
        response.writeHead(200, playlistType).end(playlist(map, ...lines));
      } else {
        response.end(answerRange(request, response, file, etag));
      }
    });
    const [format, source] = formatAt(`${url}/list.m3u8`, { protocol: "playlist" });
    expect((await workshop.fetch(format, source)).content.equals(whole)).toBe(true);

    const { chunks } = openFormat(format, source, await workshop.download());
    const changing = async () => {
      for await (const chunk of chunks) {
        if (chunk.length === 0) continue;
        etag = '"two"';
        file = randomBytes(whole.length);
      }
    };
    await expect(changing()).rejects.toBeInstanceOf(SourceChanged);
  });

  /** Serves a playlist of transport stream segments; `segmentAt` is asked for each request. */
  async function serveList(segmentAt: (index: number) => Buffer) {
    const url = await workshop.serve((request, response) => {
      if (request.url === "/list.m3u8") {
        const lines = [0, 1, 2].flatMap((index) => ["#EXTINF:2.000000,", `${index}`]);
        response.writeHead(200, playlistType).end(playlist(...lines));
      } else {
        const body = answerRange(request, response, segmentAt(Number(request.url?.slice(1))));
        response.end(body);
      }
    });
    return formatAt(`${url}/list.m3u8`, { protocol: "playlist" });
  }
  const stored = (index: number) => readFileSync(join(testMediaFolder, `hls/0-00${index}.ts`));

  test("one of which is truncated, with a matching length, are complete once the server has all of it", async () => {
    let requests = 0;
    const [format, source] = await serveList((index) => {
      if (index !== 1) return stored(index);
      requests += 1;
      return requests < 3 ? stored(index).subarray(0, 30_000 + requests) : stored(index);
    });
    const { content } = await workshop.fetch(format, source);
    expect(content.equals(Buffer.concat([0, 1, 2].map(stored)))).toBe(true);
    expect(requests).toBe(3);
  });

  test.each([
    ["within a packet", 30_001],
    ["between packets", 188 * 300],
  ])("one of which is always truncated %s are source_error, not a file with a gap", async (_, bytes) => {
    const [format, source] = await serveList((index) =>
      index === 1 ? stored(index).subarray(0, bytes) : stored(index),
    );
    await expect(workshop.fetch(format, source)).rejects.toMatchObject({
      code: "source_error",
      detail: "a segment is truncated",
    });
  });

  test("of a playlist without an end are live", async () => {
    const live = playlist("#EXTINF:2,", "0").replace("#EXT-X-ENDLIST", "");
    const url = await workshop.serve((_, response) => response.writeHead(200, playlistType).end(live));
    await expect(workshop.fetch(...formatAt(url, { protocol: "playlist" }))).rejects.toMatchObject({
      code: "unsupported_url",
    });
  });
});

describe("segments that only the downloader program can fetch", () => {
  test("and that stop arriving are connection_timeout, and it is terminated", async () => {
    const limits = { source_file_bytes: 1e9, source_silence_ms: 3000 };
    const download = await workshop.download({ limits });
    const source = await resolveSource(`${workshop.origin.url}/${mediaFiles.dash}`, download);
    const info = JSON.parse(readFileSync(source.infoPath ?? "", "utf8"));
    const stalling = info.formats.map((format: object) => ({
      ...format,
      fragment_base_url: `${workshop.origin.url}/stall/dash/`,
    }));
    writeFileSync(source.infoPath ?? "", JSON.stringify({ ...info, formats: stalling }));
    const fetching = workshop.fetch(byProgram(source.formats.at(-1)), source, download);
    await expect(fetching).rejects.toMatchObject({ code: "connection_timeout" });
    expect(processesIn(download.folder)).toEqual([]);
  });

  test("and that grow too large are stopped", async () => {
    const limits = { source_file_bytes: 200_000, source_silence_ms: 30_000 };
    const download = await workshop.download({ limits });
    const source = await resolveSource(`${workshop.origin.url}/${mediaFiles.hls}`, download);
    const fetching = workshop.fetch(byProgram(source.formats.at(-1)), source, download);
    await expect(fetching).rejects.toMatchObject({ code: "too_large" });
    expect(processesIn(download.folder)).toEqual([]);
  });

  test("end with the signal's reason when that is aborted, and leave no process", async () => {
    const controller = new AbortController();
    const download = await workshop.download({ signal: controller.signal });
    const source = await resolveSource(`${workshop.origin.url}/slow/${mediaFiles.hls}`, download);
    const running: number[] = [];
    const fetching = workshop.fetch(byProgram(source.formats.at(-1)), source, {
      ...download,
      onBytes: () => {
        running.push(...processesIn(download.folder));
        controller.abort(new Error("cancelled"));
      },
    });
    await expect(fetching).rejects.toThrow("cancelled");
    expect(running.length).toBeGreaterThan(0);
    await vi.waitUntil(() => processesIn(download.folder).length === 0, { timeout: 20_000 });
  });
});

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
