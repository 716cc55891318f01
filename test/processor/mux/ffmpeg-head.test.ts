import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ffmpegHeadBytes, indexRoomBytes } from "../../../processor/mux/ffmpeg-head.ts";
import type { Workshop } from "../../../processor/mux/media.ts";
import { playsFromStart, walkBoxes } from "../../../processor/containers/mp4/mp4-boxes.ts";
import { muxMedia } from "../../../processor/mux/mux-media.ts";
import { planOutput } from "../../../processor/mux/plan-output.ts";
import { probeMedia } from "../../../processor/mux/probe-media.ts";
import { makeMedia, mediaFiles, mediaSeconds } from "../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";
import { audio, media, options, video } from "./sample-media.ts";

let folder: string;
let workshop: Workshop;
beforeAll(() => makeMedia(testMediaFolder));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-room-"));
  workshop = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", folder, signal: new AbortController().signal };
  return () => rm(folder, { recursive: true, force: true });
});

describe("the room for an index", () => {
  const seconds = fc.integer({ min: 0, max: 6 * 3600 });
  const fps = fc.double({ min: 1, max: 120, noNaN: true });
  const rate = fc.constantFrom(8000, 16_000, 22_050, 44_100, 48_000, 96_000);

  test("is enough for each packet of both streams, whatever the duration", () => {
    fc.assert(
      fc.property(seconds, fps, rate, (plays, framesPerSecond, rateHz) => {
        const inputs = [media([video("h264", { framesPerSecond })], [audio("aac", { rateHz })])];
        const packets = plays * (framesPerSecond + rateHz / 1024);
        expect(indexRoomBytes(planOutput(inputs, options()), plays)).toBeGreaterThan(32 * packets);
      }),
    );
  });

  test("is small compared to the media, for a film and for audio alone", () => {
    const film = planOutput([media([video("h264")], [audio("aac")])], options());
    const sound = planOutput([media([], [audio("aac")])], options());
    expect(indexRoomBytes(film, 7200) / (7200 * 250_000)).toBeLessThan(0.02);
    expect(indexRoomBytes(sound, 7200) / (7200 * 16_000)).toBeLessThan(0.05);
  });
});

/** A file in chunks, as they arrive over a network. */
async function* pieces(path: string) {
  const bytes = await readFile(path);
  for (let at = 0; at < bytes.length; at += 50_000) {
    yield bytes.subarray(at, at + 50_000);
    await nextTurn();
  }
}

describe("after its head a file is only appended to, and from a pipe it is the same film", () => {
  test.for([
    ["mp4", mediaFiles.mkv, {}],
    ["mov", mediaFiles.mkv, { format: "mov" }],
    ["mkv", mediaFiles.mp4IndexFirst, { format: "mkv" }],
    ["webm", mediaFiles.webm, { format: "webm" }],
    ["m4a", mediaFiles.mkv, { format: "mp4", audio_only: true }],
    ["mp3", mediaFiles.mkv, { format: "mp3" }],
    ["mka", mediaFiles.mkv, { format: "mkv", audio_only: true }],
    ["opus", mediaFiles.webm, { audio_only: true }],
    ["mp4", mediaFiles.webm, { video_codec: "h264" }],
  ] as const)("%s of %s with %j", async ([container, name, given]) => {
    const path = join(testMediaFolder, name);
    const probed = await probeMedia(path, workshop);
    const plan = planOutput([probed], options(given));
    expect(plan.container).toBe(container);
    const outputPath = join(folder, "output");
    const isMp4 = ["mp4", "mov", "m4a"].includes(container);
    const indexRoom = isMp4 ? indexRoomBytes(plan, mediaSeconds) : null;
    const head = ffmpegHeadBytes(indexRoom);

    /** The bytes after the head, at each time they were read. */
    const early: Buffer[] = [];
    await (await open(outputPath, "w")).close();
    async function* watched() {
      for await (const piece of pieces(path)) {
        yield piece;
        early.push((await readFile(outputPath)).subarray(head));
      }
    }
    const inputs = [{ pipe: 3, kind: probed.kind, delaySeconds: 0 }];
    const outputMaxBytes = 1e9;
    const mux = {
      inputs,
      plan,
      outputPath,
      outputMaxBytes,
      indexRoom,
      feeds: [watched()],
      onSeconds: () => {},
    };
    await muxMedia(mux, workshop);

    const whole = (await readFile(outputPath)).subarray(head);
    for (const bytes of early) expect(whole.subarray(0, bytes.length).equals(bytes)).toBe(true);
    if (isMp4) expect(playsFromStart(await walkBoxes(outputPath))).toBe(true);
    const made = await probeMedia(outputPath, workshop);
    expect(Math.abs((made.durationSeconds ?? 0) - mediaSeconds)).toBeLessThan(0.2);
  });
});
