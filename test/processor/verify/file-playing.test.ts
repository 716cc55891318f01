import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Workshop } from "../../../processor/mux/media.ts";
import { probeMedia } from "../../../processor/mux/probe-media.ts";
import { filePlaying } from "../../../processor/verify/file-playing.ts";
import { verifySource } from "../../../processor/verify/verify-source.ts";
import { makeMedia, mediaFiles, mediaSeconds } from "../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";

const folder = testMediaFolder;
const signal = new AbortController().signal;
const workshop: Workshop = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", folder, signal };
const withoutPrograms: Workshop = { ...workshop, ffmpeg: "/nowhere/ffmpeg", ffprobe: "/nowhere/ffprobe" };

beforeAll(() => makeMedia(testMediaFolder));

async function verified(name: string) {
  const path = join(folder, name);
  const probed = await probeMedia(path, workshop);
  return { path, probed, measuredSeconds: await verifySource(path, probed, workshop), listedSeconds: 4 };
}

test("a file that was measured when it was verified is not read again", async () => {
  const playing = await filePlaying(await verified(mediaFiles.mp3), withoutPrograms);
  expect(playing.seconds).toBeCloseTo(mediaSeconds, 0);
  expect(playing).toMatchObject({ listedSeconds: 4, isSure: false });
});

test("a file that states its duration is not read", async () => {
  const playing = await filePlaying(await verified(mediaFiles.mp4), withoutPrograms);
  expect(playing.seconds).toBeCloseTo(mediaSeconds, 0);
  expect(playing.isSure).toBe(true);
});

test("any other file is read to its end", async () => {
  const segment = await verified("hls/0-000.ts");
  expect((await filePlaying(segment, workshop)).seconds).toBeCloseTo(2, 0);
  await expect(filePlaying(segment, withoutPrograms)).rejects.toThrow();
});
