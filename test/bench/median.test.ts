import { expect, test } from "vitest";
import { median } from "../../bench/median.ts";

test("the median is the middle value, or the mean of the middle two", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
});
