import { copyFile, mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { followFile } from "../../../processor/containers/follow-file.ts";
import { probeMedia } from "../../../processor/mux/probe-media.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import { makeMedia, mediaFiles } from "../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";
import { allDamages, damages } from "./damage.ts";

let folder: string;
beforeAll(() => makeMedia(testMediaFolder));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-inspect-"));
  return () => rm(folder, { recursive: true, force: true });
});

const sample = (name: keyof typeof mediaFiles) => join(testMediaFolder, mediaFiles[name]);

async function remade(from: keyof typeof mediaFiles, name: string, ...args: string[]): Promise<string> {
  const path = join(folder, name);
  await execa("ffmpeg", ["-nostdin", "-v", "error", "-i", sample(from), ...args, path]);
  return path;
}

const copied = ["-c", "copy", "-movflags", "+faststart"];

test.for([
  ["a film as mp4", () => remade("mp4", "film.mp4", ...copied)],
  ["a film as mov", () => remade("mp4", "film.mov", ...copied)],
  ["a film of vp9 and opus", () => remade("webm", "vp9.mp4", ...copied)],
  ["sound", () => remade("m4a", "sound.m4a", ...copied)],
  [
    "a film with free space after its index",
    () => remade("mp4", "room.mp4", "-c", "copy", "-moov_size", "100000"),
  ],
] as const)("the result for %s matches ffprobe's", async ([, make]) => {
  const path = await make();
  const workshop = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", folder, signal: new AbortController().signal };
  const said = await probeMedia(path, workshop);
  const inspected = await followFile(path);
  const codecsOf = (streams: readonly { codec: string }[] = []) => streams.map(({ codec }) => codec);
  expect(inspected?.kind).toBe(said.kind);
  expect(codecsOf(inspected?.video)).toEqual(codecsOf(said.video));
  expect(codecsOf(inspected?.audio)).toEqual(codecsOf(said.audio));
  expect(inspected?.video[0]).toMatchObject(
    said.video.length > 0 ? { width: said.video[0]?.width, height: said.video[0]?.height } : {},
  );
  expect(inspected?.durationSeconds).toBeCloseTo(said.durationSeconds ?? 0, 1);
});

test.for(["gpac-film.mp4", "mkvmerge-film.mkv", "mkvmerge-film.webm"])(
  "another packager's %s is checked whole, and rejected or left to a decoder if it is damaged",
  async (name) => {
    const original = join(import.meta.dirname, "../other-packagers", name);
    await expect(followFile(original)).resolves.toMatchObject({ video: [{ width: 64 }], audio: [{}] });
    const bytes = await readFile(original);
    const path = join(folder, name);
    // What follows a film is not played.
    for (const damage of allDamages.filter((one) => one !== "is followed by something else")) {
      await writeFile(path, damages[damage](bytes));
      const judged = await followFile(path).catch((error: unknown) => error);
      expect(judged === null || judged instanceof JobFailure, damage).toBe(true);
    }
  },
);

test.for([
  ["its index is after its media", async () => sample("mp4")],
  ["it has a codec that is not supported here", () => remade("mp4", "mpeg4.mp4", ...copied, "-c:v", "mpeg4")],
] as const)("a file is left to a decoder if %s", async ([, path]) => {
  await expect(followFile(await path())).resolves.toBeNull();
});

test.for([
  ["everywhere", 0.05, 1],
  ["after its beginning", 0.3, 1],
  ["in the middle", 0.4, 0.7],
] as const)("a film that is garbled %s is rejected", async ([, from, to]) => {
  const path = join(folder, "garbled.mp4");
  await copyFile(sample("mp4IndexFirst"), path);
  await expect(followFile(path)).resolves.not.toBeNull();
  const { size } = await stat(path);
  const start = Math.floor(size * from);
  const noise = Uint8Array.from({ length: Math.floor(size * to) - start }, (_, at) => (at * 197) % 251);
  const file = await open(path, "r+");
  await file.write(noise, 0, noise.length, start);
  await file.close();
  await expect(followFile(path)).rejects.toMatchObject({ code: "invalid_media" });
});
