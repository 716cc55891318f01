import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ffmpegArguments } from "../../../processor/mux/ffmpeg-arguments.ts";
import { planOutput } from "../../../processor/mux/plan-output.ts";
import { audio, media, options, video } from "./sample-media.ts";

function command(...[inputs, given]: Parameters<typeof planOutput>): string {
  const files = inputs.map(({ kind }, index) => ({ path: `/job/input-${index}`, kind, delaySeconds: 0 }));
  return ffmpegArguments(files, planOutput(inputs, given), "/job/output").join(" ");
}

test("two streams are copied into an mp4 with its index in front", () => {
  const inputs = [
    media([video("h264")], [], { kind: "matroska" }),
    media([], [audio("aac", { index: 0 })], { kind: "webm" }),
  ];
  expect(command(inputs, options())).toBe(
    [
      "-nostdin -hide_banner -loglevel error -nostats -progress pipe:1 -y",
      "-max_pixels 150000000 -protocol_whitelist file,pipe,fd -f matroska -i file:/job/input-0",
      "-max_pixels 150000000 -protocol_whitelist file,pipe,fd -f matroska -i file:/job/input-1",
      "-map 0:0 -c:v copy -map 1:0 -c:a copy",
      "-sn -dn -map_metadata 0 -metadata major_brand= -metadata minor_version= -metadata compatible_brands=",
      "-movflags +faststart -map_chapters -1 -write_tmcd 0 -f mp4 file:/job/output",
    ].join(" "),
  );
});

test("h265 in the mp4 family has the tag that all players know, copied or encoded", () => {
  const copied = [media([video("h265")], [])];
  const encoded = [media([video("h264")], [])];
  expect(command(copied, options())).toContain("-c:v copy -tag:v hvc1");
  expect(command(copied, options({ format: "mov" }))).toContain("-tag:v hvc1");
  expect(command(encoded, options({ video_codec: "h265" }))).toContain("-tag:v hvc1");
  expect(command(copied, options({ format: "mkv" }))).not.toContain("-tag:v");
  // The name promises parameter sets in the index.
  const among = [media([video("h265", { saysParameters: false })], [])];
  expect(command(among, options())).not.toContain("-tag:v");
  expect(command(among, options({ video_codec: "h265", video_quality: 20 }))).toContain("-tag:v hvc1");
});

test("every encoder gets its quality and a pixel format that all players support", () => {
  for (const [codec, encoder] of [
    ["h264", "libx264"],
    ["h265", "libx265"],
    ["vp9", "libvpx-vp9"],
  ] as const) {
    const made = command([media([video("h264")], [])], options({ video_codec: codec, video_quality: 31 }));
    expect(made).toContain(`-c:v ${encoder} `);
    expect(made).toContain("-crf 31 ");
    expect(made).toContain("-pix_fmt yuv420p");
  }
});

test("opus gets no more bits than its encoder supports for the channels", () => {
  const given = options({ format: "webm", audio_bitrate: "320k" });
  expect(command([media([], [audio("mp3", { channels: 1 })])], given)).toContain("-c:a libopus -b:a 256000");
  expect(command([media([], [audio("mp3", { channels: 2 })])], given)).toContain("-c:a libopus -b:a 320000");
});

test("big-endian samples are converted for a wav file", () => {
  const inputs = [media([], [audio("pcm", { codecName: "pcm_s24be" })])];
  expect(command(inputs, options())).toContain("-c:a pcm_s24le");
});

test("file names are never taken for options or protocols", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (input, output) => {
      const inputs = [media([video("h264")], [audio("aac")])];
      const args = ffmpegArguments(
        [{ path: input, kind: "mp4", delaySeconds: 0 }],
        planOutput(inputs, options()),
        output,
      );
      expect(args[args.indexOf("-i") + 1]).toBe(`file:${input}`);
      expect(args.at(-1)).toBe(`file:${output}`);
      expect(args[args.indexOf("-i") - 1]).toBe("mov");
    }),
  );
});
