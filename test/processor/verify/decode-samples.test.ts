import { copyFile, mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { decodeSamples, decodingProblem } from "../../../processor/verify/decode-samples.ts";
import type { Workshop } from "../../../processor/mux/media.ts";
import { probeMedia } from "../../../processor/mux/probe-media.ts";
import { makeMedia, mediaFiles } from "../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";

let folder: string;
let workshop: Workshop;
beforeAll(() => makeMedia(testMediaFolder));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-decode-"));
  workshop = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", folder, signal: new AbortController().signal };
  return () => rm(folder, { recursive: true, force: true });
});

const sample = (name: keyof typeof mediaFiles) => join(testMediaFolder, mediaFiles[name]);
const decode = async (path: string) => decodeSamples(path, await probeMedia(path, workshop), workshop);

/** The file with the bytes between two fractions of its length overwritten. */
async function garbled(
  fromShare: number,
  toShare: number,
  original = sample("mp4IndexFirst"),
): Promise<string> {
  const path = join(folder, "garbled.mp4");
  await copyFile(original, path);
  const { size } = await stat(path);
  const from = Math.floor(size * fromShare);
  const noise = Buffer.from(
    Array.from({ length: Math.floor(size * toShare) - from }, (_, at) => (at * 197) % 251),
  );
  const file = await open(path, "r+");
  await file.write(noise, 0, noise.length, from);
  await file.close();
  return path;
}

test.for(["mp4", "mp4IndexFirst", "webm", "mkv", "mp3", "mp3WithCover", "m4a"] as const)(
  "a valid %s decodes wherever it is sampled",
  async (name) => {
    await expect(decode(sample(name))).resolves.toBeUndefined();
  },
);

test.for([
  ["everywhere", 0.05, 1],
  ["after its beginning", 0.3, 1],
  ["in the middle", 0.4, 0.7],
] as const)("a film that is garbled %s is rejected", async ([, from, to]) => {
  await expect(decode(await garbled(from, to))).rejects.toMatchObject({ code: "invalid_media" });
});

test("audio that is garbled in one tenth is rejected", async () => {
  const path = join(folder, "long.m4a");
  const source = "anoisesrc=sample_rate=44100:duration=60:seed=1";
  await execa("ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", source, path]);
  await expect(decode(path)).resolves.toBeUndefined();
  await expect(decode(await garbled(0.57, 0.67, path))).rejects.toMatchObject({ code: "invalid_media" });
});

test("few packets only require that some of them decode", () => {
  expect(decodingProblem([{ kind: "video", packets: 9, frames: 0 }], 10)).toBeNull();
  expect(decodingProblem([{ kind: "video", packets: 1, frames: 0 }], 1)).toBe("the video does not decode");
  expect(decodingProblem([{ kind: "audio", packets: 30, frames: 9 }], 10)).toBe("the audio does not decode");
  expect(decodingProblem([{ kind: "video", packets: 30, frames: 15 }], 10)).toBeNull();
  expect(decodingProblem([{ kind: "audio", packets: 0, frames: 0 }], 1)).toBeNull();
});
