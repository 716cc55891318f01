import { expect, test } from "vitest";
import { describeResult, medianOf } from "../../bench/overhead-result.ts";

test("the median is the middle value, or the mean of the middle two", () => {
  expect(medianOf([9, 1, 5])).toBe(5);
  expect(medianOf([9, 1, 5, 6])).toBe(5.5);
  expect(medianOf([7])).toBe(7);
});

test("the result is a sentence with the ratio", () => {
  const text = describeResult({ jobMs: 300, scriptMs: 60, rounds: 20, cores: 2 });
  expect(text).toBe("Medians of 20 on 2 cores: a job 300 ms, the script 60 ms, **5.0 times** as long.");
});
