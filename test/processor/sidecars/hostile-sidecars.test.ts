import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listeningPort } from "../../../processor/network/listening-port.ts";
import { startNetwork, type Network } from "../../../processor/network/network.ts";
import { collectSidecars } from "../../../processor/sidecars/collect-sidecars.ts";
import { readSubtitlePlaylist } from "../../../processor/sidecars/fetch-listed.ts";
import { noSidecars, type SidecarPlan } from "../../../processor/sidecars/plan-sidecars.ts";
import type { SidecarContext } from "../../../processor/sidecars/sidecar-context.ts";
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
const picture = (): SidecarPlan => ({ ...noSidecars, pictures: [{ listed: at("picture") }] });
const subtitle = (): SidecarPlan => ({
  ...noSidecars,
  subtitles: [{ language: "en", from: { content: { files: [at("subtitle")] } } }],
});

async function collect(plan: SidecarPlan, more: Partial<SidecarContext> = {}) {
  const log = pino({ level: "warn" }, { write: (line: string) => causes.push(JSON.parse(line)) });
  const context = {
    task: sampleTask(),
    network,
    log,
    ffmpeg: "ffmpeg",
    ffprobe: "ffprobe",
    folder,
    signal: new AbortController().signal,
    ...more,
  };
  return collectSidecars(plan, [], context);
}

describe("a picture", () => {
  test("of ordinary size is taken, one of a billion pixels is not even decoded", async () => {
    serve = (_, response) => response.end(blackPng(40, 30));
    expect(await collect(picture())).toMatchObject([{ kind: "thumbnail", suffix: "jpg" }]);
    serve = (_, response) => response.end(blackPng(32_000, 32_000));
    expect(await collect(picture())).toEqual([]);
    expect(JSON.stringify(causes)).toContain("Invalid image size");
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
  test("that has no end is left out", async () => {
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

  test("at an address that is not allowed is not asked for", async () => {
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

test("a job that is stopped ends the collecting with its reason", async () => {
  const controller = new AbortController();
  serve = () => controller.abort(new Error("stopped"));
  await expect(collect(subtitle(), { signal: controller.signal })).rejects.toThrow("stopped");
});

test("of playlists those that are whole and plain are read", () => {
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
