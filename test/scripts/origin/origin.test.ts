import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mediaFiles, mediaSeconds } from "../../../scripts/origin/make-media.ts";
import type { Origin } from "../../../scripts/origin/serve-origin.ts";
import { startTestOrigin, testMediaFolder } from "../../origin/test-origin.ts";

let origin: Origin;

beforeAll(async () => {
  origin = await startTestOrigin();
});
afterAll(() => origin.close());

test.each([
  mediaFiles.mp4,
  mediaFiles.webm,
  mediaFiles.mkv,
  mediaFiles.mp3,
  mediaFiles.mp3WithCover,
  mediaFiles.m4a,
])("%s has the documented duration", async (file) => {
  const probe = await execa("ffprobe", [
    "-v",
    "error",
    "-show_entries",
    "format=duration",
    join(testMediaFolder, file),
  ]);
  const [, seconds] = /duration=([\d.]+)/.exec(probe.stdout) ?? [];
  expect(Math.abs(Number(seconds) - mediaSeconds)).toBeLessThan(0.2);
});

test.each([mediaFiles.dash, mediaFiles.hls])("%s is served under every prefix", async (file) => {
  for (const prefix of ["", "/no-range", "/slow"]) {
    const response = await fetch(`${origin.url}${prefix}/${file}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/720/);
  }
});

test("a range is served, and recorded", async () => {
  const whole = await bytesOf(mediaFiles.mp4);
  const response = await fetch(`${origin.url}/${mediaFiles.mp4}`, { headers: { range: "bytes=100-299" } });
  expect(response.status).toBe(206);
  expect(response.headers.get("content-range")).toBe(`bytes 100-299/${whole.length}`);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(whole.subarray(100, 300));
  expect(origin.requests.at(-1)).toEqual({
    method: "GET",
    path: `/${mediaFiles.mp4}`,
    range: "bytes=100-299",
  });
});

test("without range support the whole file is sent", async () => {
  const whole = await bytesOf(mediaFiles.mp4);
  const response = await fetch(`${origin.url}/no-range/${mediaFiles.mp4}`, {
    headers: { range: "bytes=5-" },
  });
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(whole);
});

test("a cut connection breaks off after half of the bytes, and cut-once only the first time", async () => {
  const whole = await bytesOf(mediaFiles.mp3);
  for (const path of [`/cut/${mediaFiles.mp3}`, `/cut/${mediaFiles.mp3}`, `/cut-once/${mediaFiles.mp3}`]) {
    expect(await countUntilBroken(`${origin.url}${path}`)).toBe(Math.floor(whole.length / 2));
  }
  expect(await bytesOf(`cut-once/${mediaFiles.mp3}`)).toEqual(whole);
});

test("garbage is served as a video", async () => {
  const response = await fetch(`${origin.url}/garbage/x.mp4`);
  expect(response.headers.get("content-type")).toBe("video/mp4");
  expect(await response.text()).toMatch(/^these bytes are not media/);
});

test("status, redirects and paths outside the folder get the right response", async () => {
  expect((await fetch(`${origin.url}/status/429`)).status).toBe(429);
  const redirect = await fetch(`${origin.url}/redirect?to=/status/404`, { redirect: "manual" });
  expect(redirect.headers.get("location")).toBe("/status/404");
  expect((await fetch(`${origin.url}/..%2f..%2fetc/passwd`)).status).toBe(404);
});

async function bytesOf(path: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${origin.url}/${path}`)).arrayBuffer());
}

async function countUntilBroken(url: string): Promise<number> {
  const response = await fetch(url);
  let bytes = 0;
  await expect(async () => {
    for await (const chunk of response.body ?? []) bytes += chunk.length;
  }).rejects.toThrow();
  return bytes;
}
