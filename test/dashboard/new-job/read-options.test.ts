import { expect, it } from "vitest";
import { readOptions } from "../../../dashboard/new-job/read-options.ts";

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

it("empty fields are omitted", () => {
  expect(
    readOptions(formOf({ format: "", folder: "  ", video_quality: "", url: "https://a.example" })),
  ).toEqual({});
});

it("every option has the type that the API expects", () => {
  const texts = {
    format: "webm",
    quality_preset: "low",
    folder: " talks ",
    video_codec: "vp9",
    audio_codec: "opus",
    audio_bitrate: "128k",
  };
  const form = formOf({
    ...texts,
    video_quality: "31",
    audio_only: "on",
    download_subtitles: "on",
    download_thumbnail: "on",
  });
  expect(readOptions(form)).toEqual({
    ...texts,
    folder: "talks",
    video_quality: 31,
    audio_only: true,
    download_subtitles: true,
    download_thumbnail: true,
  });
});

it("a quality that is not a number is sent as typed, and validated by the service", () => {
  expect(readOptions(formOf({ video_quality: "good" }))).toEqual({ video_quality: "good" });
  expect(readOptions(formOf({ video_quality: "23.5" }))).toEqual({ video_quality: 23.5 });
});
