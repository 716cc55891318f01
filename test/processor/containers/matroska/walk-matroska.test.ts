import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMatroskaHead } from "../../../../processor/containers/matroska/matroska-head.ts";
import { createWalker } from "../../../../processor/containers/walk-bytes.ts";
import { walkMatroska } from "../../../../processor/containers/matroska/walk-matroska.ts";
import { makeMedia, mediaFiles, mediaSeconds } from "../../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../../origin/test-origin.ts";
import { allDamages, damages, type Damage } from "../damage.ts";

let folder: string;
beforeAll(async () => {
  await makeMedia(testMediaFolder);
  folder = await mkdtemp(join(tmpdir(), "ferry-test-matroska-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A file converted from one of the origin's. */
async function remade(from: string, name: string, ...args: string[]): Promise<Buffer> {
  const path = join(folder, name);
  await execa("ffmpeg", ["-nostdin", "-v", "error", "-y", "-i", join(testMediaFolder, from), ...args, path]);
  return readFile(path);
}
const read = (name: string) => readFile(join(testMediaFolder, name));
const copied = ["-c", "copy"];
const fast265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"];
const withoutSums = [...copied, "-write_crc32", "0"];

/** The result of checking `bytes`, whose beginning should be that of `original`. */
function verdictOf(original: Buffer, bytes = original, pieceBytes = 7777) {
  const head = readMatroskaHead(original);
  if (head === null) return null;
  const walker = createWalker(walkMatroska(head));
  for (let at = 0; at < bytes.length; at += pieceBytes) walker.take(bytes.subarray(at, at + pieceBytes));
  return walker.end();
}

describe("a complete file is valid", () => {
  test.for([
    ["webm of vp9 and opus", () => read(mediaFiles.webm)],
    ["mkv of h264 and aac", () => read(mediaFiles.mkv)],
    ["mkv without checksums", () => remade(mediaFiles.mkv, "plain.mkv", ...withoutSums)],
    [
      "mkv with its index in front",
      () => remade(mediaFiles.mkv, "front.mkv", ...copied, "-cues_to_front", "1"),
    ],
    [
      "webm of vp8 and vorbis",
      () =>
        remade(mediaFiles.webm, "vp8.webm", "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libvorbis"),
    ],
    ["mkv of h265 and mp3", () => remade(mediaFiles.mkv, "h265.mkv", ...fast265, "-c:a", "libmp3lame")],
    ["webm with audio only", () => remade(mediaFiles.webm, "sound.webm", ...copied, "-vn")],
  ] as const)("%s, in pieces of any size", async ([, make]) => {
    const bytes = await make();
    expect(readMatroskaHead(bytes)?.seconds).toBeCloseTo(mediaSeconds, 0);
    expect(verdictOf(bytes)).toBe("right");
    expect(verdictOf(bytes, bytes, 1021)).toBe("right");
    expect(verdictOf(bytes, bytes, bytes.length)).toBe("right");
  });
});

test.for([
  ["was written without seeking", () => remade(mediaFiles.webm, "live.webm", ...copied, "-live", "1")],
  [
    "has audio that cannot be distinguished from noise",
    () => remade(mediaFiles.mkv, "flac.mkv", "-c:v", "copy", "-c:a", "flac"),
  ],
  ["is not Matroska", () => read(mediaFiles.mp4)],
] as const)("a file that %s is not checked", async ([, make]) => {
  expect(readMatroskaHead(await make())).toBeNull();
});

describe("damage is detected", () => {
  const verdicts = {
    "is cut": "unsure",
    "lacks its last byte": "unsure",
    "is followed by something else": "unsure",
    "is zeros in the middle": "damaged",
    "is noise in the middle": "damaged",
    "lacks something in the middle": "damaged",
    "has two parts exchanged": "damaged",
  } as const satisfies Record<Damage, string>;
  const files = [mediaFiles.webm, mediaFiles.mkv];
  const cases = files.flatMap((name) => allDamages.map((damage) => [name, damage] as const));

  test.for(cases)("%s that %s", async ([name, damage]) => {
    const bytes = await read(name);
    expect(verdictOf(bytes, damages[damage](bytes))).toBe(verdicts[damage]);
  });

  test("one whose beginning differs", async () => {
    const bytes = await read(mediaFiles.webm);
    expect(verdictOf(bytes, Buffer.from(bytes).fill("other", 100, 105))).toBe("unsure");
  });

  test("an mkv with checksums reveals a single changed byte", async () => {
    const bytes = await read(mediaFiles.mkv);
    const changed = Buffer.from(bytes);
    const at = Math.floor(bytes.length / 2);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(verdictOf(bytes, changed)).toBe("damaged");
  });

  test("clusters in a different order are not accepted", async () => {
    const bytes = await remade(mediaFiles.mkv, "clusters.mkv", ...withoutSums, "-cluster_time_limit", "1000");
    const mark = Buffer.from("1f43b675", "hex");
    const starts: number[] = [];
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) starts.push(at);
    const [first = 0, second = 0, third = 0] = starts.slice(1);
    expect(third).toBeGreaterThan(second);
    const swapped = Buffer.concat([
      bytes.subarray(0, first),
      bytes.subarray(second, third),
      bytes.subarray(first, second),
      bytes.subarray(third),
    ]);
    expect(verdictOf(bytes)).toBe("right");
    expect(verdictOf(bytes, swapped)).toBe("unsure");
  });
});
