import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  provideNewestDownloader,
  withNewestDownloader,
} from "../../../scripts/local-system/newest-downloader.ts";
import { readSystemSettings } from "../../../scripts/local-system/settings.ts";
import { startTestHost, type TestHost } from "../../origin/test-host.ts";
import { testRelease, testReleaseKey } from "../../processor/image/test-release.ts";

const hourMs = 60 * 60 * 1000;
let host: TestHost;
let folder: string;
/** Milliseconds by which the clock has moved since. */
let laterMs: number;
let said: string[];

beforeEach(async () => {
  host = await startTestHost();
  const { version: _, ...files } = testRelease;
  host.answers = { ...files };
  folder = join(await mkdtemp(join(tmpdir(), "ferry-newest-")), "cache");
  laterMs = 0;
  said = [];
});
afterEach(async () => {
  await host.close();
  await rm(join(folder, ".."), { recursive: true });
});

function provide(
  given: { source?: string; maxMs?: number; signal?: AbortSignal } = {},
): Promise<string | null> {
  return provideNewestDownloader({
    folder,
    source: host.url,
    maxMs: 60_000,
    publicKey: testReleaseKey,
    signal: new AbortController().signal,
    now: () => Date.now() + laterMs,
    say: (line) => said.push(line),
    ...given,
  });
}

test("the newest release is downloaded, and again only after three days", async () => {
  const path = await provide();
  expect(readFileSync(path ?? "", "utf8")).toBe(testRelease["/yt-dlp"]);
  const { length } = host.asked;
  laterMs = 71 * hourMs;
  expect(await provide()).toBe(path);
  expect(host.asked).toHaveLength(length);
  laterMs = 73 * hourMs;
  expect(await provide()).toBe(path);
  expect(host.asked).toHaveLength(2 * length);
  expect(said).toEqual([]);
});

const hanging = () => new Promise<void>(() => undefined);

test.each<[string, TestHost["answers"], number, string]>([
  ["has a wrong checksum", { "/yt-dlp": "#!/bin/sh\necho another\n" }, 60_000, "the checksum of yt-dlp is"],
  [
    "arrives by half",
    { "/yt-dlp": testRelease["/yt-dlp"].slice(0, 12) },
    60_000,
    "the checksum of yt-dlp is",
  ],
  ["does not arrive in time", { "/yt-dlp": hanging }, 100, "it took more than 0.1 s"],
  ["is not there", { "/yt-dlp": (_, response) => void response.writeHead(404).end() }, 60_000, "answers 404"],
])(
  "a release that %s leaves this machine's own, with one line that says so",
  async (_, answers, maxMs, why) => {
    Object.assign(host.answers, answers);
    expect(await provide({ maxMs })).toBeNull();
    expect(said).toEqual([expect.stringContaining("Using this machine's own yt-dlp")]);
    expect(said[0]).toContain(why);
  },
);

test("without a network, the machine's own is used, and nothing is tried for an hour", async () => {
  const source = "http://127.0.0.1:9";
  expect(await provide({ source })).toBeNull();
  expect(said).toEqual([expect.stringContaining("127.0.0.1:9 cannot be reached")]);
  expect(await provide()).toBeNull();
  expect(host.asked).toEqual([]);
  expect(said).toHaveLength(2);
  laterMs = 2 * hourMs;
  expect(await provide()).not.toBeNull();
});

test("an old download is better than none", async () => {
  const path = await provide();
  laterMs = 100 * hourMs;
  expect(await provide({ source: "http://127.0.0.1:9" })).toBe(path);
  expect(said).toEqual([expect.stringContaining("Using the yt-dlp of an earlier download")]);
});

test("a start that is stopped meanwhile stops the download", async () => {
  host.answers["/yt-dlp"] = hanging;
  const controller = new AbortController();
  const stopped = expect(provide({ signal: controller.signal })).rejects.toThrow("stopped");
  await expect.poll(() => host.asked).toContain("/yt-dlp");
  controller.abort(new Error("stopped"));
  await stopped;
});

test("YT_DLP_PATH is used as it is", async () => {
  const settings = readSystemSettings({ YT_DLP_PATH: "/opt/yt-dlp" });
  const around = { signal: AbortSignal.abort(), say: (line: string) => said.push(line) };
  expect(await withNewestDownloader(settings, around)).toBe(settings);
  expect(settings.passedOn).toEqual({ YT_DLP_PATH: "/opt/yt-dlp" });
});
