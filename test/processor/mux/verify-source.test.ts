import { copyFile, mkdtemp, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Workshop } from "../../../processor/mux/media.ts";
import { playedSeconds } from "../../../processor/mux/played-seconds.ts";
import { probeMedia } from "../../../processor/mux/probe-media.ts";
import { verifySource } from "../../../processor/mux/verify-source.ts";

const seconds = 10;
const picture = ["-f", "lavfi", "-i", `testsrc=size=160x90:rate=25:duration=${seconds}`];
const sound = ["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`];
const film = [...picture, ...sound, "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"];

/** How each file is made, by its name. */
const recipes: Readonly<Record<string, readonly string[]>> = {
  "film.mp4": film,
  "fragmented.mp4": [...film, "-movflags", "frag_keyframe+empty_moov"],
  "film.mkv": film,
  "film.avi": [...picture, ...sound, "-c:v", "mpeg4"],
  "film.wmv": [...picture, ...sound, "-c:v", "wmv2", "-c:a", "wmav2"],
  "sound.mp3": sound,
  "sound.wav": sound,
  "sound.aiff": sound,
  "sound.opus": [...sound, "-c:a", "libopus"],
  "sound.ogg": [...sound, "-c:a", "flac"],
  "sound.flac": sound,
};
const names = Object.keys(recipes);

let folder: string;
let workshop: Workshop;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-source-"));
  workshop = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", folder, signal: new AbortController().signal };
  for (const [name, recipe] of Object.entries(recipes)) {
    await execa("ffmpeg", ["-nostdin", "-v", "error", ...recipe, name], { cwd: folder });
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function verify(path: string): Promise<void> {
  await verifySource(path, await probeMedia(path, workshop), workshop);
}

async function cutTo(name: string, share: number): Promise<string> {
  const path = join(folder, `cut-${share}-${name}`);
  await copyFile(join(folder, name), path);
  await truncate(path, Math.floor((await stat(path)).size * share));
  return path;
}

test.for(names)("%s is taken whole", async (name) => {
  await expect(verify(join(folder, name))).resolves.toBeUndefined();
});

test.for(names)("%s is refused where half of it is missing", async (name) => {
  await expect(verify(await cutTo(name, 0.5))).rejects.toMatchObject({ code: "invalid_media" });
});

describe("what says its bytes, or where it ends, is refused when little is missing", () => {
  test.for(names.filter((name) => !/mp3|flac/.test(name)))("%s", async (name) => {
    await expect(verify(await cutTo(name, 0.99))).rejects.toMatchObject({ code: "invalid_media" });
  });
});

test("a transport stream whose clock is set back is no shorter for it", async () => {
  const part = join(folder, "film.ts");
  const both = join(folder, "both.ts");
  await execa("ffmpeg", ["-nostdin", "-v", "error", ...film, part]);
  await execa("sh", ["-c", 'cat "$1" "$1" > "$2"', "sh", part, both]);
  await expect(verify(both)).resolves.toBeUndefined();
  expect(await playedSeconds({ path: both, kind: "mpegts" }, workshop)).toBeGreaterThan(2 * seconds - 1);
});

test("of an mp3 that was put together the note of the first part does not bind the others", async () => {
  const part = join(folder, "sound.mp3");
  const both = join(folder, "both.mp3");
  await execa("sh", ["-c", 'cat "$1" "$1" > "$2"', "sh", part, both]);
  await expect(verify(both)).resolves.toBeUndefined();
});
