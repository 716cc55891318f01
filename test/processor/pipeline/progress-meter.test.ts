import { expect, test } from "vitest";
import { createProgressMeter } from "../../../processor/pipeline/progress-meter.ts";
import { createRecordingLink } from "./recording-link.ts";

function meter() {
  const link = createRecordingLink("job");
  return { meter: createProgressMeter(link, () => 0), last: () => link.progress.at(-1) };
}

test("files that are fetched concurrently are added up", () => {
  const { meter: measured, last } = meter();
  measured.fetched("video", 0, 900);
  measured.fetched("audio", 0, 100);
  measured.fetched("video", 450, 900);
  measured.fetched("audio", 50, 100);
  expect(last()).toMatchObject({ percent: 30, bytes_downloaded: 500, bytes_total: 1000 });
});

test("the total is unknown while that of any file is", () => {
  const { meter: measured, last } = meter();
  measured.fetched("video", 450, 900);
  measured.fetched("audio", 50, null);
  expect(last()).toMatchObject({ bytes_downloaded: 500, bytes_total: null });
});

test("a file that starts over lowers the byte count, not the percentage", () => {
  const { meter: measured, last } = meter();
  measured.fetched("video", 900, 1000);
  measured.fetched("video", 100, 1000);
  expect(last()).toMatchObject({ percent: 54, bytes_downloaded: 100 });
});

test("the stages add up to the whole job", () => {
  const { meter: measured, last } = meter();
  measured.fetchedAll();
  expect(last()?.percent).toBe(60);
  measured.muxed(1);
  expect(last()?.percent).toBe(75);
  measured.uploaded(50, 100);
  measured.uploaded(50, 100);
  expect(last()?.percent).toBe(100);
});
