import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NoRoom } from "../../../processor/disk/no-room.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";
import { startNetwork, type Network } from "../../../processor/network/network.ts";
import { openListed } from "../../../processor/sidecars/collect-listed.ts";
import { collectSidecars } from "../../../processor/sidecars/collect-sidecars.ts";
import { readSubtitlePlaylist } from "../../../processor/sidecars/read-subtitle-playlist.ts";
import type { ListedPlan } from "../../../processor/sidecars/plan-sidecars.ts";
import type { SidecarContext } from "../../../processor/sidecars/sidecar-context.ts";
import { createPlaces } from "../../../processor/work/places.ts";
import { blackPng } from "../../hostile/black-png.ts";
import { sampleTask } from "../sample-task.ts";

let folder: string;
let server: Server;
let network: Network;
let serve: RequestListener;
let causes: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-hostile-"));
  network = await startNetwork({ allowPrivateNetwork: true });
  causes = [];
  server = createServer((request, response) => serve(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterEach(async () => {
  server.closeAllConnections();
  await Promise.all([network.close(), new Promise((done) => server.close(done))]);
  await rm(folder, { recursive: true, force: true });
});

const at = (path: string) => ({ url: `http://127.0.0.1:${listeningPort(server)}/${path}`, headers: {} });
const picture = (): ListedPlan => ({ subtitles: [], pictures: [at("picture")] });
const subtitle = (): ListedPlan => ({
  subtitles: [{ language: "en", content: { files: [at("subtitle")] } }],
  pictures: [],
});
const nothingInFiles = { tracks: [], pictures: [], originalLanguage: null, mediaStartSeconds: 0 };

async function collect(listed: ListedPlan, more: Partial<SidecarContext> = {}) {
  const log = pino({ level: "warn" }, { write: (line: string) => causes.push(JSON.parse(line)) });
  const context = {
    task: sampleTask(),
    network,
    log,
    disk: { take: async () => {} },
    sidecarPrograms: createPlaces(2),
    ffmpeg: "ffmpeg",
    ffprobe: "ffprobe",
    folder,
    signal: new AbortController().signal,
    ...more,
  };
  const collection = openListed(listed, context);
  try {
    return await collectSidecars({ ...nothingInFiles, listed }, collection.start(), [], context);
  } finally {
    await collection.close();
  }
}

describe("an image", () => {
  test("of ordinary size is accepted, and one of a billion pixels is not even decoded", async () => {
    serve = (_, response) => response.end(blackPng(40, 30));
    expect(await collect(picture())).toMatchObject([{ kind: "thumbnail", suffix: "jpg" }]);
    serve = (_, response) => response.end(blackPng(32_000, 32_000));
    expect(await collect(picture())).toEqual([]);
    expect(JSON.stringify(causes)).toContain("Invalid image size");
  });

  test("with too many bytes is left out", async () => {
    serve = (_, response) => response.end(Buffer.alloc(21 * 1024 * 1024));
    expect(await collect(picture())).toEqual([]);
    expect(JSON.stringify(causes)).toContain("too_large");
  });

  test.each([
    ["a playlist", "#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n"],
    ["a page", "<html></html>"],
    ["nothing", ""],
  ])("that is %s is left out", async (_, body) => {
    serve = (__, response) => response.end(body);
    expect(await collect(picture())).toEqual([]);
  });
});

describe("a subtitle", () => {
  test("without an end is left out", async () => {
    serve = (_, response) => {
      response.write("WEBVTT\n\n00:01.000 --> 00:02.000\n");
      const more = () => {
        while (response.write("a".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    };
    expect(await collect(subtitle())).toEqual([]);
    expect(JSON.stringify(causes)).toContain("too_large");
  });

  test("at a forbidden URL is not requested", async () => {
    let requests = 0;
    serve = (_, response) => {
      requests += 1;
      response.end("WEBVTT\n\n00:01.000 --> 00:02.000\nA");
    };
    const guarded = await startNetwork({ allowPrivateNetwork: false });
    try {
      expect(await collect(subtitle(), { network: guarded })).toEqual([]);
    } finally {
      await guarded.close();
    }
    expect(requests).toBe(0);
    expect(await collect(subtitle())).toHaveLength(1);
  });

  test("that is media, or lists other files, is left out", async () => {
    for (const body of [
      "ID3\x04",
      "#EXTM3U\nfile:///etc/hostname",
      "ffconcat version 1.0\nfile /etc/hostname",
    ]) {
      serve = (_, response) => response.end(body);
      expect(await collect(subtitle())).toEqual([]);
    }
  });
});

test("everything written counts towards the job's disk space, and files without space are left out", async () => {
  serve = ({ url }, response) =>
    response.end(url === "/picture" ? blackPng(40, 30) : "1\n00:00:01,000 --> 00:00:02,000\nA");
  const both = { ...picture(), subtitles: subtitle().subtitles };
  let counted = 0;
  const take = async (bytes: number) => {
    counted += bytes;
  };
  expect(await collect(both, { disk: { take } })).toHaveLength(2);
  const written = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  );
  expect(written.length).toBeGreaterThan(4);
  expect(counted).toBe(written.reduce((sum, bytes) => sum + bytes, 0));

  const refuse = () => Promise.reject(new NoRoom());
  expect(await collect(both, { disk: { take: refuse } })).toEqual([]);
});

test("programs run within the node's limit of programs", async () => {
  serve = (_, response) => response.end(blackPng(40, 30));
  const sidecarPrograms = createPlaces(1);
  const leave = await sidecarPrograms.enter(new AbortController().signal);
  const collected = collect(picture(), { sidecarPrograms });
  await expect.poll(() => sidecarPrograms.occupancy().waiting).toBe(1);
  expect(await readdir(folder)).not.toContain("sidecar.jpg");
  leave();
  expect(await collected).toHaveLength(1);
});

test("a stopped job ends the collection with its reason", async () => {
  const controller = new AbortController();
  serve = () => controller.abort(new Error("stopped"));
  await expect(collect(subtitle(), { signal: controller.signal })).rejects.toThrow("stopped");
});

test("only complete and unencrypted playlists are read", () => {
  const base = "https://a.example/s/list.m3u8";
  const list = (...lines: string[]) => readSubtitlePlaylist(["#EXTM3U", ...lines].join("\n"), base);
  expect(list("#EXTINF:2,", "1.vtt", "#EXTINF:2,", "/2.vtt", "#EXT-X-ENDLIST")).toEqual([
    "https://a.example/s/1.vtt",
    "https://a.example/2.vtt",
  ]);
  expect(list("1.vtt")).toBeNull();
  expect(list('#EXT-X-KEY:METHOD=AES-128,URI="k"', "1.vtt", "#EXT-X-ENDLIST")).toBeNull();
  expect(list("#EXT-X-STREAM-INF:BANDWIDTH=1", "1.m3u8", "#EXT-X-ENDLIST")).toBeNull();
  expect(list("#EXT-X-ENDLIST")).toBeNull();
});

test("a playlist with more subtitles than any track has is rejected before its URLs are built", () => {
  const text = `#EXTM3U\n#EXT-X-ENDLIST\n${"a\n".repeat(2_000_000)}`;
  expect(() => readSubtitlePlaylist(text, `https://a.example/${"a".repeat(2000)}/b`)).toThrow("too_large");
});
