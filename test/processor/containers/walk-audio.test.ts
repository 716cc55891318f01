import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWalker, type ByteWalk } from "../../../processor/containers/walk-bytes.ts";
import { readFlacHead, walkFlac } from "../../../processor/containers/flac/walk-flac.ts";
import { readOggAudio, walkOgg } from "../../../processor/containers/ogg/walk-ogg.ts";
import { readWavHead, walkWav } from "../../../processor/containers/wav/walk-wav.ts";
import type { Verdict } from "../../../processor/containers/sample-tally.ts";
import { allDamages, damages, oldTag } from "./damage.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-sound-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const seconds = 3;
const unmade = Buffer.alloc(0);

/** Noise, which a codec cannot compress much. */
async function make(name: string, ...args: string[]): Promise<Buffer> {
  const path = join(folder, name);
  const source = `anoisesrc=sample_rate=48000:duration=${seconds}:seed=1`;
  await execa("ffmpeg", ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source, ...args, path]);
  return readFile(path);
}

function lead<Finding>(walk: ByteWalk<Finding>, bytes: Buffer, pieceBytes: number): Finding {
  const walker = createWalker(walk);
  for (let at = 0; at < bytes.length; at += pieceBytes) walker.take(bytes.subarray(at, at + pieceBytes));
  return walker.end();
}

/** The verdict on `bytes`, whose beginning should be that of `original`, and their duration. */
type Look = (
  original: Buffer,
  bytes: Buffer,
  pieceBytes: number,
) => { verdict: Verdict; seconds: number | null };
const unread = { verdict: "unsure", seconds: null } as const;

const lookAtOgg: Look = (original, bytes, pieceBytes) => {
  const sound = readOggAudio(original);
  return sound ? lead(walkOgg(sound), bytes, pieceBytes) : unread;
};
const lookAtFlac: Look = (original, bytes, pieceBytes) => {
  const head = readFlacHead(original);
  return head ? { verdict: lead(walkFlac(head), bytes, pieceBytes), seconds: head.samples / 48_000 } : unread;
};
const lookAtWav: Look = (original, bytes, pieceBytes) => {
  const head = readWavHead(original);
  return head ? { verdict: lead(walkWav(head), bytes, pieceBytes), seconds: head.seconds } : unread;
};

const kinds = [
  ["opus", lookAtOgg, () => make("sound.opus", "-c:a", "libopus")],
  ["vorbis", lookAtOgg, () => make("sound.ogg", "-c:a", "libvorbis")],
  ["flac", lookAtFlac, () => make("sound.flac", "-metadata", "title=Tides")],
  ["flac with frames of another length", lookAtFlac, () => make("short.flac", "-frame_size", "1000")],
  ["wav", lookAtWav, () => make("sound.wav")],
  ["wav of 24 bits", lookAtWav, () => make("deep.wav", "-c:a", "pcm_s24le")],
] as const;

describe("complete audio is valid, in pieces of any size", () => {
  test.for(kinds)("%s", async ([, look, makeSound]) => {
    const bytes = await makeSound();
    for (const pieceBytes of [999, 65_536, bytes.length]) {
      const found = look(bytes, bytes, pieceBytes);
      expect(found.verdict).toBe("right");
      expect(found.seconds).toBeCloseTo(seconds, 1);
    }
  });
});

describe("audio followed by a tag is valid, in pieces of any size", () => {
  test.for(kinds.filter(([, look]) => look !== lookAtOgg))("%s", async ([, look, makeSound]) => {
    const bytes = await makeSound();
    for (const pieceBytes of [999, 65_536]) {
      expect(look(bytes, Buffer.concat([bytes, oldTag]), pieceBytes).verdict).toBe("right");
      const cut = bytes.subarray(0, -1000);
      expect(look(bytes, Buffer.concat([cut, oldTag]), pieceBytes).verdict).not.toBe("right");
    }
  });
});

describe("audio with checksums reveals every change", () => {
  const summed = kinds.filter(([name]) => !name.startsWith("wav"));
  test.for(summed)("%s", async ([, look, makeSound]) => {
    const bytes = await makeSound();
    for (const damage of allDamages) {
      expect(look(bytes, damages[damage](bytes), 7777).verdict, damage).not.toBe("right");
    }
    const changed = Buffer.from(bytes);
    const middle = Math.floor(bytes.length / 2);
    changed[middle] = (changed[middle] ?? 0) ^ 1;
    expect(look(bytes, changed, 7777).verdict).toBe("damaged");
  });
});

test("a wav that is longer or shorter than declared is not accepted", async () => {
  const bytes = await make("length.wav");
  for (const damage of ["is cut", "lacks its last byte", "is followed by something else"] as const) {
    expect(lookAtWav(bytes, damages[damage](bytes), 7777).verdict, damage).toBe("unsure");
  }
});

describe("chained streams, as recorded from a radio station,", () => {
  const two = async () => [
    await make("first.ogg", "-c:a", "libvorbis"),
    await make("second.ogg", "-c:a", "libvorbis", "-ar", "32000"),
  ];

  test("play as long as all of them together", async () => {
    const [first = unmade, second = unmade] = await two();
    const found = lookAtOgg(first, Buffer.concat([first, second, first]), 7777);
    expect(found.verdict).toBe("right");
    expect(found.seconds).toBeCloseTo(3 * seconds, 1);
  });

  test("are not accepted if one of them is damaged", async () => {
    const [first = unmade, second = unmade] = await two();
    for (const damage of allDamages) {
      const changed = Buffer.concat([first, damages[damage](second)]);
      expect(lookAtOgg(first, changed, 7777).verdict, damage).not.toBe("right");
    }
  });

  test("with other codecs are left to a decoder", async () => {
    const [first = unmade] = await two();
    const other = await make("other.opus", "-c:a", "libopus");
    expect(lookAtOgg(first, Buffer.concat([first, other]), 7777).verdict).toBe("unsure");
  });
});

test("a file written without seeking has nothing to be checked against", async () => {
  const written = Buffer.from(await make("live.wav"));
  written.writeUInt32LE(0xffffffff, 4);
  expect(readWavHead(written)).toBeNull();
  const live = Buffer.from(await make("live.flac"));
  live.fill(0, 22, 26);
  expect(readFlacHead(live)).toBeNull();
});

test("other kinds of files are not read", () => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(1000), Buffer.from("RIFF and nothing else")]) {
    expect([readOggAudio(bytes), readFlacHead(bytes), readWavHead(bytes)]).toEqual([null, null, null]);
  }
});
