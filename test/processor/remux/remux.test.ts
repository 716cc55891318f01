import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Doubtful } from "../../../processor/direct/doubtful.ts";
import { boxesIn } from "../../../processor/containers/mp4/box-content.ts";
import { playsFromStart, walkBoxes } from "../../../processor/containers/mp4/mp4-boxes.ts";
import { planRemux } from "../../../processor/remux/plan-remux.ts";
import { remuxStreams } from "../../../processor/remux/remux-streams.ts";
import { box } from "../../../processor/remux/write-index.ts";
import { options } from "../mux/sample-media.ts";
import { makeFragmented, packetsOf, seconds } from "./fragmented-media.ts";
import { samplesByMp4box } from "./independent-readers.ts";
import { headOf, inPieces, planned, remux } from "./remux-bytes.ts";

const encodings = {
  "h264 with pictures out of order": ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "3", "-g", "50"],
  h265: ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error", "-g", "50"],
} as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-remux-"));
  for (const [index, encoding] of Object.values(encodings).entries())
    await makeFragmented(join(folder, `${index}`), encoding);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const planOf = (streams: readonly Buffer[], sourceSeconds: number | null = seconds) =>
  planRemux(streams.map(headOf), options(), sourceSeconds);

const read = (film: number, names: readonly string[]) =>
  Promise.all(names.map((name) => readFile(join(folder, `${film}`, name))));

describe.for(Object.keys(encodings).map((name, film) => [name, film] as const))("of %s", ([, film]) => {
  test.for([[["pictures.mp4", "sound.mp4"]], [["fragmented.mp4"]]])(
    "%j become a file with the same packets, each at its time",
    async ([names = []]) => {
      const streams = await read(film, names);
      const path = join(folder, "made.mp4");
      await writeFile(path, await remux(streams, await planned(streams, seconds)));
      expect(playsFromStart(await walkBoxes(path))).toBe(true);
      const given = names.map((name) => join(folder, `${film}`, name));
      expect(await packetsOf(path)).toEqual(await packetsOf(...given));
      const strict = ["-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-i", path];
      await execa("ffmpeg", [...strict, "-f", "null", "-"]);
    },
  );
});

test("sound that starts 12 s after the pictures of the same file still does", async () => {
  const given = join(folder, "late.mp4");
  const film = join(folder, "0", "film.mp4");
  const late = ["-i", film, "-itsoffset", "12", "-i", film, "-map", "0:v", "-map", "1:a", "-c", "copy"];
  const pieces = "+frag_keyframe+empty_moov+default_base_moof+delay_moov";
  await execa("ffmpeg", ["-nostdin", "-v", "error", ...late, "-movflags", pieces, given]);
  const stream = await readFile(given);
  const plan = await planOf([stream], 12 + seconds);
  if (plan === null) throw new Error("there is no plan");
  const path = join(folder, "made.mp4");
  await writeFile(path, await remux([stream], plan));
  const starts = ["-v", "error", "-show_entries", "stream=codec_type,start_time", "-of", "csv=p=0", path];
  expect((await execa("ffprobe", starts)).stdout).toMatch(/^video,0\.0.*\naudio,1[12]\.9?/);
  expect(await packetsOf(path)).toEqual(await packetsOf(given));
});

test("h265 whose parameter sets are in its description gets the name that Apple's players accept", async () => {
  const streams = await read(1, ["pictures.mp4", "sound.mp4"]);
  expect(streams[0]?.includes("hev1")).toBe(true);
  const made = await remux(streams, await planned(streams, seconds));
  expect([made.includes("hev1"), made.includes("hvc1")]).toEqual([false, true]);
});

test("audio alone becomes an m4a", async () => {
  const streams = await read(0, ["sound.mp4"]);
  const plan = await planRemux(streams.map(headOf), options({ audio_only: true }), seconds);
  expect(plan?.plan.container).toBe("m4a");
  if (plan === null) return;
  const path = join(folder, "made.m4a");
  await writeFile(path, await remux(streams, plan));
  expect(await packetsOf(path)).toEqual(await packetsOf(join(folder, "0", "sound.mp4")));
});

test("streams are interleaved at least every second, so that a player need not read ahead", async () => {
  const streams = await read(0, ["pictures.mp4", "sound.mp4"]);
  const remuxing = remuxStreams(
    streams.map((stream) => inPieces(stream, 1000)),
    await planned(streams, seconds),
  );
  for await (const chunk of remuxing.chunks) expect(chunk.length).toBeLessThanOrEqual(1000);
  for (const { track, chunks, ticks } of remuxing.finish().tables.flat()) {
    const samplesMax = Math.max(...chunks.map(({ samples }) => samples));
    const ticksMax = Math.max(...ticks.map(({ value }) => value));
    expect((samplesMax * ticksMax) / track.ticksPerSecond).toBeLessThan(1.1);
  }
});

test("the output does not depend on how the streams are chunked", async () => {
  const streams = await read(0, ["pictures.mp4", "sound.mp4"]);
  const plan = await planned(streams, seconds);
  const whole = await remux(streams, plan, 1e9);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 50, max: 100_000 }), async (pieceBytes) => {
      expect((await remux(streams, plan, pieceBytes)).equals(whole)).toBe(true);
    }),
    { numRuns: 10 },
  );
});

/** Offsets at which a stream may end with nothing but its duration to reveal it. */
function boundariesOf(stream: Buffer): Set<number> {
  const boundaries = new Set([0]);
  let at = 0;
  for (const { content } of boxesIn(stream)) boundaries.add((at += content.length + 8));
  return boundaries;
}

test("a stream cut anywhere within a box is doubtful", async () => {
  const streams = await read(0, ["pictures.mp4", "sound.mp4"]);
  const plan = await planned(streams, seconds);
  const [pictures = Buffer.alloc(0), sound = Buffer.alloc(0)] = streams;
  const boundaries = boundariesOf(pictures);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2000, max: pictures.length - 1 }), async (bytes) => {
      fc.pre(!boundaries.has(bytes));
      await expect(remux([pictures.subarray(0, bytes), sound], plan)).rejects.toThrow(Doubtful);
    }),
    { numRuns: 40 },
  );
});

test("streams without their last fragments are doubtful", async () => {
  const streams = await read(0, ["pictures.mp4", "sound.mp4"]);
  const plan = await planned(streams, seconds);
  const cut = streams.map((stream) => {
    const boundaries = [...boundariesOf(stream)].filter((at) => at < stream.length * 0.7);
    return stream.subarray(0, boundaries.at(-1));
  });
  await expect(remux(cut, plan)).rejects.toThrow(Doubtful);
});

test("whatever bytes are changed, the output has all samples of its sources, or is doubtful", async () => {
  const streams = await read(0, ["pictures.mp4", "sound.mp4"]);
  const plan = await planned(streams, seconds);
  const change = fc.record({ stream: fc.nat(1), at: fc.nat(), value: fc.nat(255) });
  const samplesIn = (file: Buffer) => samplesByMp4box(file).map(({ kind, hash }) => `${kind} ${hash}`);
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const changed = streams.map((stream) => Buffer.from(stream));
      for (const { stream, at, value } of changes) {
        const bytes = changed[stream];
        if (bytes !== undefined) bytes[at % 6000] = value;
      }
      const file = await remux(changed, plan).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Doubtful);
        return null;
      });
      if (file === null) return;
      made += 1;
      // The descriptions were read before anything was changed.
      const given = changed.map((stream, index) => {
        const head = headOf(streams[index] ?? stream);
        return Buffer.concat([head, stream.subarray(head.length)]);
      });
      // There may be more than mp4box.js finds in a source: it gives up at a box of a kind that it does not know.
      const written = new Set(samplesIn(file));
      expect(given.flatMap(samplesIn).filter((sample) => !written.has(sample))).toEqual([]);
    }),
    { numRuns: 200, examples: [[[{ stream: 0, at: 857, value: 0 }]]] },
  );
  expect(made).toBeGreaterThan(20);
});

test.for([
  ["is not a fragmented mp4", async () => [await readFile(join(folder, "0", "film.mp4"))], seconds],
  ["has an unknown duration", () => read(0, ["pictures.mp4", "sound.mp4"]), null],
  ["is not an mp4", async () => [Buffer.from("#EXTM3U\n".repeat(100))], seconds],
  ["has more streams than requested", () => read(0, ["fragmented.mp4", "sound.mp4"]), seconds],
] as const)("there is no plan for a source that %s", async ([, given, sourceSeconds]) => {
  expect(await planOf(await given(), sourceSeconds)).toBeNull();
});

test("video that ends before its own index does is doubtful, however long the audio is", async () => {
  const [pictures = Buffer.alloc(0), sound = Buffer.alloc(0)] = await read(0, ["pictures.mp4", "sound.mp4"]);
  const at = headOf(pictures).length;
  const words = [0, 1, 1000, 0, 0, 1, pictures.length - at, 0, 0];
  const index = box("sidx", [Buffer.from(Uint32Array.from(words).buffer).swap32()]);
  const indexed = Buffer.concat([pictures.subarray(0, at), index, pictures.subarray(at)]);
  const plan = await planned([pictures, sound], seconds);
  expect((await remux([indexed, sound], plan)).equals(await remux([pictures, sound], plan))).toBe(true);
  const cut = indexed.subarray(
    0,
    [...boundariesOf(indexed)].findLast((end) => end < indexed.length * 0.7),
  );
  await expect(remux([cut, sound], plan)).rejects.toThrow("the stream is truncated");
});

test("the same index may be repeated, and a different one is doubtful", async () => {
  const streams = await read(0, ["sound.mp4"]);
  const plan = await planRemux(streams.map(headOf), options({ audio_only: true }), seconds);
  if (plan === null) throw new Error("there is no plan");
  const [stream = Buffer.alloc(0)] = streams;
  const index = headOf(stream);
  const at = stream.lastIndexOf("moof") - 4;
  const withIndex = (repeated: Buffer) =>
    Buffer.concat([stream.subarray(0, at), repeated, stream.subarray(at)]);
  const made = await remux([withIndex(index)], plan);
  expect(made.equals(await remux(streams, plan))).toBe(true);
  const other = Buffer.from(index);
  const clock = other.indexOf("mdhd") + 4 + 12;
  other.writeUInt32BE(other.readUInt32BE(clock) + 1, clock);
  await expect(remux([withIndex(other)], plan)).rejects.toThrow(Doubtful);
});

test("a few bytes that declare very many samples are doubtful", async () => {
  const [stream = Buffer.alloc(0)] = await read(0, ["sound.mp4"]);
  const plan = await planRemux([headOf(stream)], options({ audio_only: true }), 20_000);
  if (plan === null) throw new Error("there is no plan");
  const many = 300_000;
  expect(plan.samplesMax).toBeGreaterThan(many);
  const told = Buffer.from(stream);
  const run = told.indexOf("trun") + 4;
  told.writeUInt32BE(1, run);
  told.writeUInt32BE(many, run + 4);
  await expect(remux([told], plan)).rejects.toThrow("the index of a fragment cannot be read");
});

test("there is no plan for an index too large for a job's memory", async () => {
  const streams = await read(0, ["pictures.mp4", "sound.mp4"]);
  expect(await planOf(streams, 3 * 3600)).not.toBeNull();
  for (const hours of [5, 1e3, 1e6]) expect(await planOf(streams, hours * 3600)).toBeNull();
});

test("an index that exceeds its room is doubtful, before it is kept", async () => {
  const streams = await read(0, ["pictures.mp4", "sound.mp4"]);
  const plan = await planned(streams, seconds);
  await expect(remux(streams, { ...plan, samplesMax: 100 })).rejects.toThrow(Doubtful);
  await expect(remux(streams, { ...plan, headBytes: 1000 })).rejects.toThrow(Doubtful);
});
