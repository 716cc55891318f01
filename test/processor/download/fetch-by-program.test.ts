import { expect, test } from "vitest";
import { readProgress } from "../../../processor/download/fetch-by-program.ts";

test.each([
  ["progress:100 1000 NA", { received: 100, total: 1000 }],
  ["progress:100 NA 1000.4", { received: 100, total: 1000 }],
  ["progress:100 NA NA", { received: 100, total: null }],
  ["progress:NA NA NA", null],
  ["WARNING: something", null],
  ["", null],
])("%j is read as %j", (line, progress) => {
  expect(readProgress(line)).toEqual(progress);
});
