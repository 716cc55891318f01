import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EncodingOptions } from "../../../contracts/encoding-options.ts";
import { decidingBytes } from "../../../processor/direct/deciding-bytes.ts";
import { planDirectFile } from "../../../processor/direct/direct-file.ts";
import { Doubtful } from "../../../processor/direct/doubtful.ts";
import { probeMedia } from "../../../processor/mux/probe-media.ts";
import { episodeTitle, makeMedia, mediaFiles, mediaSeconds } from "../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";
import { appended, oldTag } from "../containers/damage.ts";
import { sampleTask } from "../sample-task.ts";

const { options: defaults } = sampleTask();
let folder: string;
beforeAll(async () => {
  await makeMedia(testMediaFolder);
  folder = await mkdtemp(join(tmpdir(), "ferry-test-direct-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (name: string) => readFile(join(testMediaFolder, name));

/** The beginning that is inspected, arriving from a source in pieces of 10,000 bytes. */
function headOf(bytes: Buffer): Buffer {
  let head = bytes.subarray(0, 0);
  for (let wanted = decidingBytes(head); wanted !== null && head.length < wanted;) {
    if (head.length === bytes.length) return head;
    head = bytes.subarray(0, head.length + 10_000);
    wanted = decidingBytes(head);
  }
  return head;
}

const plan = (bytes: Buffer, given: Partial<EncodingOptions> = {}, seconds: number | null = null) =>
  planDirectFile(headOf(bytes), { ...defaults, ...given }, seconds);

/** The result for `bytes`, whose beginning `head` promised a direct file. */
async function inspect(
  head: Buffer,
  bytes = head,
  given: Partial<EncodingOptions> = {},
  seconds: number | null = null,
) {
  const file = await plan(head, given, seconds);
  const inspection = file?.inspect();
  for (let at = 0; at < bytes.length; at += 7777) inspection?.take(bytes.subarray(at, at + 7777));
  return inspection?.end();
}

describe("a file that is passed on unchanged", () => {
  test.for([
    [mediaFiles.mp3, "mp3", episodeTitle],
    [mediaFiles.mp3WithCover, "mp3", episodeTitle],
    [mediaFiles.m4a, "m4a", episodeTitle],
    [mediaFiles.mp4IndexFirst, "mp4", null],
    [mediaFiles.webm, "webm", null],
    [mediaFiles.mkv, "mkv", null],
  ] as const)(
    "%s is detected by its beginning, and the result matches ffprobe's",
    async ([name, container, title]) => {
      const given = formatOf(container);
      const bytes = name === mediaFiles.m4a ? await indexFirst(name) : await read(name);
      const file = await plan(bytes, given);
      expect(file).toMatchObject({ plan: { container }, probed: { title } });
      const media = await inspect(bytes, bytes, given);
      const workshop = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", folder, signal: new AbortController().signal };
      const probed = await probeMedia(join(testMediaFolder, name), workshop);
      expect(media).toMatchObject({
        container,
        width: probed.video[0]?.width ?? null,
        height: probed.video[0]?.height ?? null,
        video_codec: probed.video[0]?.codec ?? null,
        audio_codec: probed.audio[0]?.codec,
      });
      expect(media?.duration_seconds).toBeCloseTo(probed.durationSeconds ?? 0, 1);
    },
  );

  test.for([
    ["opus", "opus"],
    ["ogg", "vorbis"],
    ["flac", "flac"],
    ["wav", "pcm"],
  ] as const)("so is an audio file as %s", async ([container, codec]) => {
    const path = join(folder, `sound.${container}`);
    await execa("ffmpeg", [
      "-nostdin",
      "-v",
      "error",
      "-y",
      "-i",
      join(testMediaFolder, mediaFiles.m4a),
      path,
    ]);
    const media = await inspect(await readFile(path));
    expect(media).toMatchObject({ container, width: null, video_codec: null, audio_codec: codec });
    expect(media?.duration_seconds).toBeCloseTo(mediaSeconds, 0);
  });

  test.for([mediaFiles.mp4IndexFirst, mediaFiles.mp3])(
    "%s may be followed by bytes that are not media",
    async (name) => {
      const bytes = await read(name);
      for (const added of name === mediaFiles.mp3 ? [oldTag, Buffer.alloc(300)] : appended) {
        const media = await inspect(bytes, Buffer.concat([bytes, added]));
        expect(media?.duration_seconds).toBeCloseTo(mediaSeconds, 0);
      }
    },
  );

  /** The options for which a file of this container is passed on. */
  function formatOf(container: string): Partial<EncodingOptions> {
    return container === "webm" || container === "mkv" ? { format: container } : {};
  }

  /** The file with its index in front. */
  async function indexFirst(name: string): Promise<Buffer> {
    const path = join(folder, "index-first.m4a");
    const args = ["-i", join(testMediaFolder, name), "-c", "copy", "-movflags", "+faststart", path];
    await execa("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args]);
    return readFile(path);
  }
});

describe("files that are not passed on", () => {
  test.for([
    ["has its index at the end", mediaFiles.mp4, {}],
    ["has its index at the end, even if complete", mediaFiles.m4a, {}],
    ["has another container", mediaFiles.mp4IndexFirst, { format: "mkv" }],
    ["has to be encoded", mediaFiles.mp4IndexFirst, { video_codec: "h265" }],
    ["has more than requested", mediaFiles.mp4IndexFirst, { audio_only: true }],
    ["has another container, without a requested format", mediaFiles.webm, { format: "mkv" }],
  ] as const)("a file that %s", async ([, name, given]) => {
    expect(await plan(await read(name), given)).toBeNull();
  });

  test("bytes that only begin like a file", async () => {
    const bytes = await read(mediaFiles.mp4IndexFirst);
    expect(await plan(bytes.subarray(0, 2000))).toBeNull();
    expect(await plan(Buffer.alloc(100_000))).toBeNull();
    expect(await plan(Buffer.alloc(0))).toBeNull();
  });
});

describe("a stream that does not match its beginning is left to a decoder", () => {
  const garbled = (bytes: Buffer, from: number, to: number) => {
    const noise = Buffer.from(bytes);
    for (let at = Math.floor(bytes.length * from); at < bytes.length * to; at += 1)
      noise[at] = (at * 197) % 251;
    return noise;
  };

  test.for([
    ["is cut", mediaFiles.mp3, (bytes: Buffer) => bytes.subarray(0, bytes.length * 0.8)],
    ["is cut within a frame", mediaFiles.mp3, (bytes: Buffer) => bytes.subarray(0, -100)],
    ["is cut after a frame, far before its end", mediaFiles.mp3, cutBehindFrame],
    ["is garbled in the middle", mediaFiles.mp3, (bytes: Buffer) => garbled(bytes, 0.5, 0.6)],
    ["is cut", mediaFiles.mp4IndexFirst, (bytes: Buffer) => bytes.subarray(0, -1)],
    [
      "is followed by the beginning of a box",
      mediaFiles.mp4IndexFirst,
      (bytes: Buffer) => Buffer.concat([bytes, bytes.subarray(0, 20)]),
    ],
    [
      "lacks its last sample, and is followed by something else",
      mediaFiles.mp4IndexFirst,
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -2000), ...appended]),
    ],
    ["is garbled in the middle", mediaFiles.mp4IndexFirst, (bytes: Buffer) => garbled(bytes, 0.4, 0.7)],
    ["is garbled at its end", mediaFiles.mp4IndexFirst, (bytes: Buffer) => garbled(bytes, 0.9, 1)],
    [
      "has only zeros after its index",
      mediaFiles.mp4IndexFirst,
      (bytes: Buffer) => Buffer.from(bytes).fill(0, 20_000),
    ],
    ["is cut", mediaFiles.webm, (bytes: Buffer) => bytes.subarray(0, bytes.length * 0.8)],
    ["is garbled in the middle", mediaFiles.webm, (bytes: Buffer) => garbled(bytes, 0.4, 0.7)],
  ] as const)("one that %s: %s", async ([, name, change]) => {
    const bytes = await read(name);
    const given: Partial<EncodingOptions> = name === mediaFiles.webm ? { format: "webm" } : {};
    await expect(inspect(bytes, change(bytes), given)).rejects.toThrow(Doubtful);
  });

  test("one that plays shorter than its source declared", async () => {
    const bytes = await read(mediaFiles.mp3);
    await expect(inspect(bytes, bytes, {}, 6)).resolves.toBeDefined();
    await expect(inspect(bytes, bytes, {}, 60)).rejects.toThrow(Doubtful);
  });

  /** Frames of 128 kbit/s at 48 kHz have 384 bytes. */
  function cutBehindFrame(bytes: Buffer): Buffer {
    const first = bytes.indexOf(Buffer.from([0xff, 0xfb]));
    return bytes.subarray(0, first + 384 * 100);
  }
});
