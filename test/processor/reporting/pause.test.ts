import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pause } from "../../../processor/reporting/pause.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function isOver(pausing: Promise<void>): Promise<boolean> {
  return Promise.race([pausing.then(() => true), vi.advanceTimersByTimeAsync(0).then(() => false)]);
}

test("a pause lasts for its time", async () => {
  const pausing = pause(100, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(99);
  expect(await isOver(pausing)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isOver(pausing)).toBe(true);
});

test("an abort ends it at once, before or during, and leaves no timer", async () => {
  const controller = new AbortController();
  const during = pause(100, controller.signal);
  controller.abort();
  const before = pause(100, controller.signal);
  expect([await isOver(during), await isOver(before), vi.getTimerCount()]).toEqual([true, true, 0]);
});
