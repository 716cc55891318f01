import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Doubtful } from "../../../processor/direct/doubtful.ts";
import {
  decodedHashes,
  listed,
  samplesByFfprobe,
  samplesByMediabunny,
  samplesByMp4box,
} from "./independent-readers.ts";
import { planned, remux } from "./remux-bytes.ts";

const seconds = 3;
const given = join(import.meta.dirname, "../other-packagers");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-packagers-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const films = [
  ["Shaka Packager's h264 and AAC", ["shaka-video.mp4", "shaka-audio.mp4"], "avc1"],
  ["Shaka Packager's vp9 and Opus", ["shaka-vp9.mp4", "shaka-opus.mp4"], "vp09"],
  ["GPAC's on-demand DASH", ["gpac-video.mp4", "gpac-audio.mp4"], "avc1"],
  ["GPAC's fragments of both", ["gpac-fragmented.mp4"], "avc1"],
  ["GPAC's h265", ["gpac-h265.mp4"], "hvc1"],
  ["GPAC's h265 with its parameter sets among the pictures", ["gpac-h265-inband.mp4"], "hev1"],
] as const;

describe("every reader finds the source's samples in the file made of", () => {
  test.for(films)("%s", async ([, names, entry]) => {
    const paths = names.map((name) => join(given, name));
    const streams = await Promise.all(paths.map((path) => readFile(path)));
    const made = await remux(streams, await planned(streams, seconds), 700);
    const path = join(folder, "made.mp4");
    await writeFile(path, made);
    const expected = listed(await samplesByFfprobe(paths));
    expect(expected.length).toBeGreaterThan(25);
    expect(listed(samplesByMp4box(made))).toEqual(expected);
    expect(listed(await samplesByMediabunny(made))).toEqual(expected);
    expect(listed(await samplesByFfprobe([path]))).toEqual(expected);
    expect(await decodedHashes([path], "v")).toEqual(await decodedHashes(paths, "v"));
    if (!names.some((name) => name.includes("h265"))) {
      // What the edit list leaves out is left out by ffmpeg in files without fragments only.
      const [heard, source] = [await decodedHashes([path], "a"), await decodedHashes(paths, "a")];
      expect(source.length - heard.length).toBeLessThanOrEqual(1);
      expect(heard).toEqual(source.slice(-heard.length));
    }
    expect(made.includes(`${entry}\0\0\0\0`, 0, "latin1")).toBe(true);
  });
});

describe("is doubtful, when it is cut or garbled,", () => {
  test.for(films)("%s", async ([, names]) => {
    const streams = await Promise.all(names.map((name) => readFile(join(given, name))));
    const plan = await planned(streams, seconds);
    const [first = Buffer.alloc(0), ...others] = streams;
    const lastMedia = first.lastIndexOf("mdat");
    const cut = first.subarray(0, lastMedia + 20);
    await expect(remux([cut, ...others], plan)).rejects.toThrow(Doubtful);
    const noise = Buffer.from(first);
    const media = noise.indexOf("mdat") + 4;
    for (let at = media; at < noise.length && noise.toString("latin1", at + 4, at + 8) !== "moof"; at += 1)
      noise[at] = (at * 197) % 251;
    await expect(remux([noise, ...others], plan)).rejects.toThrow(Doubtful);
  });
});
