import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installRelease, type ReleaseChoice } from "../../../processor/image/yt-dlp-release.ts";
import { pour, startTestHost, type TestHost } from "../../origin/test-host.ts";
import { testRelease, testReleaseKey } from "./test-release.ts";

let host: TestHost;
let folder: string;
let target: string;

beforeEach(async () => {
  host = await startTestHost();
  const { version: _, ...files } = testRelease;
  host.answers = { ...files };
  folder = await mkdtemp(join(tmpdir(), "ferry-release-"));
  target = join(folder, "yt-dlp");
});
afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

function install(choice: Partial<ReleaseChoice> = {}): Promise<string> {
  return installRelease(target, {
    source: host.url,
    sha256: null,
    withoutGpgv: "refuse",
    publicKey: testReleaseKey,
    signal: AbortSignal.timeout(60_000),
    ...choice,
  });
}

test("a release with the makers' signature and its checksum is installed", async () => {
  expect(await install()).toBe(testRelease.version);
  expect(readFileSync(target, "utf8")).toBe(testRelease["/yt-dlp"]);
  expect(readdirSync(folder)).toEqual(["yt-dlp"]);
});

const otherProgram = "#!/bin/sh\necho another\n";
const otherSum = "1b31d9d1b48b1e3b0a3b3a10d1d0e5dc7a37d0e66a3e4c1f0b7f1c0d7e8a9b0c";

test.each<[string, TestHost["answers"], RegExp]>([
  ["another program", { "/yt-dlp": otherProgram }, /checksum of yt-dlp is/],
  ["half a program", { "/yt-dlp": testRelease["/yt-dlp"].slice(0, 12) }, /checksum of yt-dlp is/],
  ["a list changed after it was signed", { "/SHA2-256SUMS": `${otherSum}  yt-dlp\n` }, /is not signed by/],
  ["no signature", { "/SHA2-256SUMS.sig": (_, response) => void response.writeHead(404).end() }, /404/],
  ["another signature", { "/SHA2-256SUMS.sig": "not one" }, /is not signed by/],
  [
    "an endless program",
    { "/yt-dlp": (_, response) => pour(response, () => Buffer.alloc(65_536)) },
    /too large/,
  ],
  ["a broken connection", { "/yt-dlp": (_, response) => void response.destroy() }, /cannot be reached/],
])("a release with %s leaves the previous one in place", async (_, answers, reason) => {
  await writeFile(target, "the previous one");
  Object.assign(host.answers, answers);
  await expect(install()).rejects.toThrow(reason);
  expect(readFileSync(target, "utf8")).toBe("the previous one");
  expect(readdirSync(folder)).toEqual(["yt-dlp"]);
});

test("a release signed by somebody else is refused, since only the makers' key counts by default", async () => {
  const signal = AbortSignal.timeout(60_000);
  const choice = { source: host.url, sha256: null, withoutGpgv: "refuse", signal } as const;
  await expect(installRelease(target, choice)).rejects.toThrow("is not signed by");
  expect(existsSync(target)).toBe(false);
});

test("a given checksum stands for the signed list, and has to match", async () => {
  delete host.answers["/SHA2-256SUMS"];
  const sha256 = testRelease["/SHA2-256SUMS"].slice(0, 64);
  expect(await install({ sha256 })).toBe(testRelease.version);
  await expect(install({ sha256: otherSum })).rejects.toThrow("checksum of yt-dlp is");
});

test("a folder can be the source", async () => {
  const { version: _, ...files } = testRelease;
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  target = join(await mkdtemp(join(folder, "target-")), "yt-dlp");
  expect(await install({ source: `file://${folder}` })).toBe(testRelease.version);
});

test("a release that hangs is given up, and leaves nothing", async () => {
  host.answers["/SHA2-256SUMS"] = () => undefined;
  const controller = new AbortController();
  const given = install({ signal: controller.signal });
  const failed = expect(given).rejects.toThrow("that is enough");
  await expect.poll(() => host.asked).toContain("/SHA2-256SUMS");
  controller.abort(new Error("that is enough"));
  await failed;
  expect(readdirSync(folder)).toEqual([]);
});
