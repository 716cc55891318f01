import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Workshop } from "../../../processor/mux/media.ts";
import { boxContent } from "../../../processor/containers/mp4/box-content.ts";
import { readSampleMap } from "../../../processor/containers/mp4/mp4-samples.ts";
import { decodeSamples } from "../../../processor/verify/decode-samples.ts";
import { walkBoxes } from "../../../processor/containers/mp4/mp4-boxes.ts";
import { playedSeconds } from "../../../processor/verify/played-seconds.ts";
import { probeMedia } from "../../../processor/mux/probe-media.ts";
import { verifySource } from "../../../processor/verify/verify-source.ts";
import { appended, damages, oldTag } from "../containers/damage.ts";

const seconds = 10;
const picture = ["-f", "lavfi", "-i", `testsrc=size=160x90:rate=25:duration=${seconds}`];
const sound = ["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`];
const film = [...picture, ...sound, "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"];

/** How each file is made, by its name. */
const recipes: Readonly<Record<string, readonly string[]>> = {
  "film.mp4": film,
  "fragmented.mp4": [...film, "-movflags", "frag_keyframe+empty_moov"],
  "indexed.mp4": [...film, "-g", "25", "-movflags", "frag_keyframe+empty_moov+dash+global_sidx"],
  "long.mp4": [
    "-f",
    "lavfi",
    "-i",
    "testsrc2=size=64x36:rate=25:duration=24",
    "-preset",
    "ultrafast",
    "-g",
    "25",
  ],
  "sound.m4a": sound,
  "late.mp4": ["-itsoffset", "1.5", ...film],
  "stamped.mov": [...film, "-timecode", "01:00:00:00"],
  "other.mp4": [...picture, ...sound, "-c:v", "mpeg4", "-c:a", "libmp3lame"],
  "film.mkv": film,
  "film.webm": [...picture, ...sound, "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"],
  "film.avi": [...picture, ...sound, "-c:v", "mpeg4"],
  "film.wmv": [...picture, ...sound, "-c:v", "wmv2", "-c:a", "wmav2"],
  "sound.mp3": sound,
  "sound.wav": sound,
  "sound.w64": sound,
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

test.for(names)("%s is accepted if complete", async (name) => {
  await expect(verify(join(folder, name))).resolves.toBeUndefined();
});

test.for([
  ["film.mp4", appended],
  ["fragmented.mp4", appended],
  ["indexed.mp4", [oldTag]],
  ["stamped.mov", [oldTag]],
  ["film.mkv", [oldTag]],
  ["sound.mp3", [oldTag]],
  ["sound.wav", [oldTag]],
  ["sound.flac", [oldTag]],
  ["sound.opus", [oldTag]],
] as const)("%s is accepted with trailing bytes that are not media", async ([name, all]) => {
  const bytes = await readFile(join(folder, name));
  for (const added of all) {
    const path = join(folder, `longer-${name}`);
    await writeFile(path, Buffer.concat([bytes, added]));
    await expect(verify(path), added.toString()).resolves.toBeUndefined();
  }
});

test.for(names)("%s is rejected if half of it is missing", async (name) => {
  await expect(verify(await cutTo(name, 0.5))).rejects.toMatchObject({ code: "invalid_media" });
});

describe("a file that declares its size or its end is rejected if little is missing", () => {
  test.for(names.filter((name) => !name.endsWith("mp3")))("%s", async (name) => {
    await expect(verify(await cutTo(name, 0.99))).rejects.toMatchObject({ code: "invalid_media" });
  });
});

test("an mp4 that is cut off after one of its fragments is shorter than its index declares", async () => {
  const bytes = await readFile(join(folder, "indexed.mp4"));
  const path = join(folder, "fewer-fragments.mp4");
  await writeFile(path, bytes.subarray(0, bytes.lastIndexOf("moof") - 4));
  expect((await walkBoxes(path)).isWhole).toBe(true);
  await expect(verify(path)).rejects.toMatchObject({ code: "invalid_media" });
});

/** The 32-bit number at this distance after the name of the n-th box with this name. */
const placeIn = (bytes: Buffer, box: string, behind: number, nth = 0) =>
  Array.from({ length: nth }).reduce<number>((at) => bytes.indexOf(box, at + 1), bytes.indexOf(box)) + behind;

/** Removes the end of the media, and adjusts the boxes to what is left. */
function cutMedia(bytes: Buffer, left: number): Buffer {
  const at = placeIn(bytes, "mdat", -4);
  const length = Math.floor(bytes.readUInt32BE(at) * left);
  const index = bytes.subarray(bytes.indexOf("moov") - 4);
  const cut = Buffer.concat([bytes.subarray(0, at + length), index]);
  cut.writeUInt32BE(length, at);
  return cut;
}

function zeros(bytes: Buffer, from: number, to: number): Buffer {
  const [start, end] = [bytes.indexOf("mdat"), bytes.indexOf("moov")];
  const at = (share: number) => Math.floor(start + (end - start) * share);
  return Buffer.from(bytes).fill(0, at(from), at(to));
}

function rewritten(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt32BE(value, at);
  return changed;
}

describe("an mp4 with intact boxes and damaged samples is rejected", () => {
  test.for([
    ["some of its media is gone", "film.mp4", (bytes: Buffer) => cutMedia(bytes, 0.9)],
    [
      "the media has codecs that are not supported here",
      "other.mp4",
      (bytes: Buffer) => cutMedia(bytes, 0.9),
    ],
    ["there is a hole in it", "film.mp4", (bytes: Buffer) => zeros(bytes, 0.55, 0.6)],
    ["there is a hole in its audio", "sound.m4a", (bytes: Buffer) => zeros(bytes, 0.55, 0.6)],
    [
      "its last samples are beyond its end",
      "film.mp4",
      (bytes: Buffer) =>
        rewritten(bytes, placeIn(bytes, "stco", 8 + 4 * bytes.readUInt32BE(placeIn(bytes, "stco", 8))), 2e9),
    ],
    [
      "its video ends early",
      "film.mp4",
      (bytes: Buffer) => rewritten(bytes, placeIn(bytes, "stts", 12), 100),
    ],
    [
      "its audio is missing",
      "film.mp4",
      (bytes: Buffer) => rewritten(bytes, placeIn(bytes, "stts", 8, 1), 0),
    ],
    [
      "it declares a longer duration",
      "film.mp4",
      (bytes: Buffer) => rewritten(bytes, placeIn(bytes, "mdhd", 20), 9e6),
    ],
  ] as const)("%s: %s", async ([what, name, change]) => {
    const path = join(folder, `${what}-${name}`);
    await writeFile(path, change(await readFile(join(folder, name))));
    await expect(verify(path)).rejects.toMatchObject({ code: "invalid_media" });
  });
});

describe("pictures of a long film that no decoder can read", () => {
  const damaged = async (pictures: readonly number[]) => {
    const bytes = await readFile(join(folder, "long.mp4"));
    const samples = readSampleMap(boxContent(bytes, "moov") ?? Buffer.alloc(0));
    const places = samples?.chunks.flatMap(({ track, offset, first, count }) =>
      track.check?.kind === "h264" ? placesOf(track.sizes.subarray(first, first + count), offset) : [],
    );
    for (const number of pictures) {
      const { start = 0, end = 0 } = places?.[number] ?? {};
      expect(end - start).toBeGreaterThan(20);
      bytes.fill(0xff, start, end);
    }
    const path = join(folder, "damaged.mp4");
    await writeFile(path, bytes);
    return path;
  };
  const placesOf = (sizes: Uint32Array, offset: number) => {
    let end = offset;
    return Array.from(sizes, (size) => ({ start: end, end: (end += size) }));
  };

  test("are no reason to reject it if there is one", async () => {
    const path = await damaged([333]);
    await expect(verify(path)).resolves.toBeUndefined();
    await expect(decodeSamples(path, await probeMedia(path, workshop), workshop)).resolves.toBeUndefined();
  });

  test.for([
    ["in a row", [333, 334]],
    ["here and there", [100, 200, 300]],
  ] as const)("are, if there are several %s", async ([, pictures]) => {
    await expect(verify(await damaged(pictures))).rejects.toMatchObject({ code: "invalid_media" });
  });
});

describe("fragments of an mp4 after a repeated initialization section", () => {
  const pieces = async (name: string, change: (description: Buffer) => void) => {
    const bytes = await readFile(join(folder, "fragmented.mp4"));
    const description = Buffer.from(bytes.subarray(bytes.indexOf("moov") - 4, bytes.indexOf("moof") - 4));
    change(description);
    const at = bytes.lastIndexOf("moof") - 4;
    const path = join(folder, name);
    await writeFile(path, Buffer.concat([bytes.subarray(0, at), description, bytes.subarray(at)]));
    return path;
  };

  test("are accepted if it is the same, whenever it was written", async () => {
    const path = await pieces("same.mp4", (description) =>
      description.writeUInt32BE(99, description.indexOf("mvhd") + 8),
    );
    await expect(verify(path)).resolves.toBeUndefined();
  });

  test.for([
    ["pictures", "avcC", 8],
    ["clock", "mdhd", 16],
    ["defaults", "trex", 16],
  ] as const)("are rejected if it changes their %s", async ([what, type, offset]) => {
    const path = await pieces(`${what}.mp4`, (description) => {
      const at = description.indexOf(type) + offset;
      description.writeUInt32BE((description.readUInt32BE(at) ^ 0x101) >>> 0, at);
    });
    await expect(verify(path)).rejects.toMatchObject({ code: "invalid_media" });
  });
});

describe("another kind of file that is damaged but has its length is rejected", () => {
  const kinds = ["film.mkv", "film.webm", "sound.opus", "sound.flac"];
  test.for(kinds)("%s", async (name) => {
    const bytes = await readFile(join(folder, name));
    for (const damage of ["is zeros in the middle", "is noise in the middle"] as const) {
      const path = join(folder, `damaged-${name}`);
      await writeFile(path, damages[damage](bytes));
      await expect(verify(path), damage).rejects.toMatchObject({ code: "invalid_media" });
    }
  });
});

test("a transport stream whose clock is reset is not shorter for it", async () => {
  const part = join(folder, "film.ts");
  const both = join(folder, "both.ts");
  await execa("ffmpeg", ["-nostdin", "-v", "error", ...film, part]);
  await execa("sh", ["-c", 'cat "$1" "$1" > "$2"', "sh", part, both]);
  await expect(verify(both)).resolves.toBeUndefined();
  expect(await playedSeconds({ path: both, kind: "mpegts" }, workshop)).toBeGreaterThan(2 * seconds - 1);
});

test("the header of a concatenated mp3's first part does not apply to the others", async () => {
  const part = join(folder, "sound.mp3");
  const both = join(folder, "both.mp3");
  await execa("sh", ["-c", 'cat "$1" "$1" > "$2"', "sh", part, both]);
  await expect(verify(both)).resolves.toBeUndefined();
});
