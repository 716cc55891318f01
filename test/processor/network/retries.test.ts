import { describe, expect, test } from "vitest";
import { SourceBusy, SourceChanged } from "../../../processor/network/network-failure.ts";
import { createRetries, type Retries } from "../../../processor/network/retries.ts";
import { SourceTooSlow } from "../../../processor/network/source-pace.ts";
import { readRetryAfter } from "../../../processor/network/retry-after.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";

const freshRetries = () => createRetries(new AbortController().signal);

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
  ["a cut", new JobFailure("source_error"), true],
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
  retries.progressed();
  expect(await isTriedAgain(retries, new JobFailure("connection_timeout"))).toBe(true);
});

test("a wait ends with the signal's reason", async () => {
  const stopping = new AbortController();
  const waiting = createRetries(stopping.signal).next(new SourceBusy(503, 60_000));
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
