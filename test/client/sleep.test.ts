import { expect, it, vi } from "vitest";
import { sleep } from "../../client/sleep.ts";

it("the wait ends after its time, and not before", async () => {
  vi.useFakeTimers();
  try {
    let isOver = false;
    const waiting = sleep(100).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(99);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(isOver).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

it("an abort ends the wait with its reason, even an earlier one", async () => {
  const controller = new AbortController();
  const waiting = sleep(60_000, controller.signal);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(sleep(60_000, controller.signal)).rejects.toThrow("enough");
});
