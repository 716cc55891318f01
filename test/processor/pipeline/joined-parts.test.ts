import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTransportParts } from "../../../processor/containers/mpegts/transport-parts.ts";
import { startOwnMedia, type OwnMedia } from "./own-media.ts";

let media: OwnMedia;
beforeAll(async () => {
  media = await startOwnMedia(makeParts);
}, 120_000);
afterAll(() => media.close());

/** Parts of two seconds each, as a film and its advertisements: each is unlike the first in one way. */
const parts = {
  film: { size: "64x36", rateHz: 44_100, more: [] },
  picture: { size: "96x54", rateHz: 44_100, more: [] },
  sound: { size: "64x36", rateHz: 22_050, more: [] },
  numbers: { size: "64x36", rateHz: 44_100, more: ["-streamid", "0:400", "-streamid", "1:401"] },
} as const;

/** Also makes lists of the film followed by a part, as HLS lists them, and both joined in a file. */
async function makeParts(folder: string): Promise<void> {
  for (const [name, { size, rateHz, more }] of Object.entries(parts)) {
    const picture = ["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=5:duration=2`];
    const sound = ["-f", "lavfi", "-i", `sine=sample_rate=${rateHz}:duration=2`];
    const offset = ["-muxdelay", "0", "-output_ts_offset", name === "film" ? "1" : "3"];
    const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "5", "-c:a", "aac", "-b:a", "32k"];
    const args = ["-nostdin", "-v", "error", ...picture, ...sound, ...codecs, ...more, ...offset];
    await execa("ffmpeg", [...args, `${name}.ts`], { cwd: folder });
    const head = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:2", "#EXTINF:2.0,", "film.ts"];
    const list = [...head, "#EXT-X-DISCONTINUITY", "#EXTINF:2.0,", `${name}.ts`, "#EXT-X-ENDLIST", ""];
    await writeFile(join(folder, `${name}.m3u8`), list.join("\n"));
    const files = await Promise.all(["film.ts", `${name}.ts`].map((each) => readFile(join(folder, each))));
    await writeFile(join(folder, `film-${name}.ts`), Buffer.concat(files));
  }
}

const same = { video: false, audio: false };

test.for([
  ["film", same, false],
  ["picture", { ...same, video: true }, false],
  ["sound", { ...same, audio: true }, false],
  ["numbers", same, true],
] as const)("the film followed by the part %s changes %j", async ([name, changes, isReplaced]) => {
  const found = await readTransportParts(join(media.folder, `film-${name}.ts`), "h264");
  expect(found).toEqual({ changes, isReplaced });
});

/** How many pictures of which sizes, and seconds of sound, a player gets from a file. */
async function played(path: string) {
  const entries = ["-show_entries", "frame=width,height", "-of", "csv=p=0", path];
  const { stdout } = await execa("ffprobe", ["-v", "error", "-select_streams", "v", ...entries]);
  const sizes = [...stdout.matchAll(/^(\d+),(\d+)/gm)].map(([, width, height]) => `${width}x${height}`);
  const sound = await execa("ffmpeg", ["-v", "error", "-i", path, "-vn", "-ac", "1", "-f", "s16le", "-"], {
    encoding: "buffer",
  });
  return { pictures: sizes.length, sizes: [...new Set(sizes)], seconds: sound.stdout.length / 2 / 44_100 };
}

describe("HLS whose parts are unlike each other is stored whole, encoded where it cannot be copied", () => {
  test.for([["picture"], ["sound"]] as const)("in its %s", async ([name]) => {
    const job = media.start(`${name}.m3u8`);
    await job.result;
    const path = join(media.folder, "stored.mp4");
    await writeFile(path, await media.storedBytes(job));
    const { pictures, sizes, seconds } = await played(path);
    expect({ pictures, sizes }).toEqual({ pictures: 20, sizes: ["64x36"] });
    expect(Math.abs(seconds - 4)).toBeLessThan(0.2);
  });
});

test.for([
  ["its pictures may only be copied", "picture", { video_codec: "copy" }, "format_not_available"],
  ["a part has other stream numbers", "numbers", {}, "invalid_media"],
] as const)("such HLS is not stored if %s", async ([, name, options, code]) => {
  const job = media.start(`${name}.m3u8`, { options });
  await expect(job.result).rejects.toMatchObject({ code });
  await media.expectNothingStored(job);
});
