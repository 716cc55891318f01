import { expect, test } from "vitest";
import {
  audioCodecs,
  formats,
  impossibleCombination,
  videoCodecs,
  type EncodingOptions,
} from "../../contracts/encoding-options.ts";
import { sampleTask } from "../processor/sample-task.ts";

const { options } = sampleTask();
const requests: EncodingOptions[] = [null, ...formats].flatMap((format) =>
  [null, ...videoCodecs].flatMap((video_codec) =>
    [null, ...audioCodecs].flatMap((audio_codec) =>
      [false, true].map((audio_only) => ({ ...options, format, video_codec, audio_codec, audio_only })),
    ),
  ),
);

/** The impossible combinations, as documented. */
const refusals: readonly ((request: EncodingOptions) => boolean)[] = [
  ({ format, video_codec: video }) => format === "webm" && (video === "h264" || video === "h265"),
  ({ format, audio_codec: audio }) => format === "webm" && (audio === "aac" || audio === "mp3"),
  ({ format, video_codec: video }) => format === "mov" && video === "vp9",
  ({ format, audio_codec: audio }) => format === "mov" && audio === "opus",
  ({ format, video_codec: video }) => format === "mp3" && video !== null && video !== "copy",
  ({ format, audio_codec: audio }) => format === "mp3" && (audio === "aac" || audio === "opus"),
  ({ format, audio_codec: audio, audio_only: alone }) =>
    alone && (format === "mp4" || format === "mov") && (audio === "opus" || audio === "mp3"),
];

test("exactly the documented combinations are rejected", () => {
  for (const request of requests) {
    const isRefused = refusals.some((refuses) => refuses(request));
    expect(impossibleCombination(request) !== null, JSON.stringify(request)).toBe(isRefused);
  }
});

test("the result names the conflicting field and its value", () => {
  expect(impossibleCombination({ ...options, format: "webm", video_codec: "h264" })).toEqual({
    field: "video_codec",
    format: "webm",
    value: "h264",
  });
  expect(impossibleCombination({ ...options, format: "mp4", audio_codec: "mp3", audio_only: true })).toEqual({
    field: "audio_codec",
    format: "mp4",
    value: "mp3",
  });
});
