import { expect, it } from "vitest";
import { readOptions } from "../../../dashboard/new-job/read-options.ts";

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

it("what is left empty is not given", () => {
  expect(
    readOptions(formOf({ format: "", folder: "  ", video_quality: "", url: "https://a.example" })),
  ).toEqual({});
});

it("every option is given as the API takes it", () => {
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

it("a quality that is no number goes to the service as it was typed, which says what is wrong with it", () => {
  expect(readOptions(formOf({ video_quality: "good" }))).toEqual({ video_quality: "good" });
  expect(readOptions(formOf({ video_quality: "23.5" }))).toEqual({ video_quality: 23.5 });
});
