import { describe, expect, test, vi } from "vitest";
import { SourceBusy, SourceChanged, SourceDown } from "../../../processor/network/network-failure.ts";
import { defaultPatience, patienceOf } from "../../../processor/network/patience.ts";
import { createRetries, type Retries } from "../../../processor/network/retries.ts";
import { SourceTooSlow } from "../../../processor/network/source-pace.ts";
import { readRetryAfter } from "../../../processor/network/retry-after.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";

/** With pauses of no length, and two minutes that pass as `now` says. */
const impatient = { ...defaultPatience, firstPauseMs: 0 };
const freshRetries = (now = () => 0) =>
  createRetries(new AbortController().signal, impatient, { now, random: () => 0 });

async function isTriedAgain(retries: Retries, failure: unknown): Promise<boolean> {
  try {
    await retries.next(failure);
    return true;
  } catch (error) {
    expect(error).toBe(failure);
    return false;
  }
}

test.each([
  ["a cut", new SourceDown("source_error"), true],
  ["a refused connection", new SourceDown("connection_timeout"), true],
  ["an odd answer", new JobFailure("source_error"), true],
  ["another file", new SourceChanged(), false],
  ["a trickle", new SourceTooSlow(), false],
  ["a missing file", new JobFailure("video_unavailable"), false],
  ["nobody there", new JobFailure("connection_timeout"), false],
  ["a requested pause", new SourceBusy(429, 0), true],
  ["a pause of unknown length", new SourceBusy(503, null), true],
  ["a pause of an hour", new SourceBusy(429, 3_600_000), false],
  ["a bug", new TypeError("no function"), false],
])("%s: retried is %3$s", async (_, failure, expected) => {
  expect(await isTriedAgain(freshRetries(), failure)).toBe(expected);
});

test("a failed connection is retried once something has arrived", async () => {
  const retries = freshRetries();
  retries.progressed(1);
  expect(await isTriedAgain(retries, new JobFailure("connection_timeout"))).toBe(true);
});

test("a source that restarts is asked again for two minutes after its last byte, and an odd one five times", async () => {
  let nowMs = 0;
  const retries = freshRetries(() => nowMs);
  const down = new SourceDown("source_error");
  for (; nowMs < 120_000; nowMs += 10_000) expect(await isTriedAgain(retries, down)).toBe(true);
  expect(await isTriedAgain(retries, down)).toBe(false);
  retries.progressed(1);
  expect(await isTriedAgain(retries, down)).toBe(true);
  const odd = freshRetries();
  for (let time = 0; time < 5; time++)
    expect(await isTriedAgain(odd, new JobFailure("source_error"))).toBe(true);
  expect(await isTriedAgain(odd, new JobFailure("source_error"))).toBe(false);
});

test("a 503 that asks for more than two minutes is rate_limited", async () => {
  await expect(freshRetries().next(new SourceBusy(503, 121_000))).rejects.toMatchObject({
    code: "rate_limited",
  });
});

test("a source that sends a byte before it breaks off is asked ever more seldom, until it sends more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const retries = createRetries(new AbortController().signal, patienceOf(120_000), { random: () => 0 });
  const pauseAfter = async (bytes: number) => {
    retries.progressed(bytes);
    const begunMs = performance.now();
    const again = retries.next(new SourceDown("source_error"));
    await vi.advanceTimersToNextTimerAsync();
    await again;
    return performance.now() - begunMs;
  };
  const pauses: number[] = [];
  for (let time = 0; time < 10; time++) pauses.push(await pauseAfter(1));
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
  expect(pauses.at(-1)).toBe(7500);
  expect(await pauseAfter(100_000)).toBe(50);
  vi.useRealTimers();
});

test("a wait ends with the signal's reason", async () => {
  const stopping = new AbortController();
  const waiting = createRetries(stopping.signal, defaultPatience).next(new SourceBusy(503, 60_000));
  stopping.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});

describe("Retry-After", () => {
  const nowMs = Date.parse("2026-01-01T00:00:00Z");
  test.each([
    [undefined, null],
    ["120", 120_000],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["soon", null],
  ])("of %j is %j milliseconds", (header, expected) => {
    expect(readRetryAfter(header, nowMs)).toBe(expected);
  });
});
