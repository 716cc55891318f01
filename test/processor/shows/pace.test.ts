import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPace } from "../../../processor/shows/pace.ts";

const least = { bytes: 100, withinMs: 20_000 };
const around = new AbortController();
let isWanted: boolean;
let pace: ReturnType<typeof createPace>;

beforeEach(() => {
  vi.useFakeTimers();
  isWanted = true;
  pace = createPace(least, () => isWanted, around.signal);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Chunks that arrive when the test says so. */
function pieces() {
  const waiting: PromiseWithResolvers<string>[] = [Promise.withResolvers(), Promise.withResolvers()];
  async function* come() {
    for (const { promise } of waiting) yield await promise;
  }
  return { come: pace.timed(come()), give: (index: number) => waiting[index]?.resolve("piece") };
}

/** Advances by this many seconds, in each of which this many bytes arrive. */
async function pass(seconds: number, bytesASecond: number): Promise<boolean> {
  for (let second = 0; second < seconds; second += 1) {
    pace.came(bytesASecond);
    await vi.advanceTimersByTimeAsync(1000);
  }
  return !pace.signal.aborted;
}

test("a feed that is too slow while others wait is aborted with a reason", async () => {
  void pieces().come.next();
  expect(await pass(19, 4)).toBe(true);
  expect(await pass(1, 4)).toBe(false);
  expect(pace.signal.reason).toMatchObject({ code: "timed_out" });
});

test("so is one that sends nothing", async () => {
  void pieces().come.next();
  expect(await pass(20, 0)).toBe(false);
});

test("one that is fast enough continues, and has to stay so", async () => {
  void pieces().come.next();
  expect(await pass(100, 5)).toBe(true);
  expect(await pass(20, 4)).toBe(false);
});

test("one may be as slow as it likes while no other waits", async () => {
  void pieces().come.next();
  isWanted = false;
  expect(await pass(50, 0)).toBe(true);
  isWanted = true;
  expect(await pass(10, 0)).toBe(false);
});

test("time in which nobody reads does not count", async () => {
  const { come, give } = pieces();
  const first = come.next();
  expect(await pass(10, 0)).toBe(true);
  give(0);
  expect(await first).toEqual({ done: false, value: "piece" });
  expect(await pass(60, 0)).toBe(true);
  void come.next();
  expect(await pass(9, 0)).toBe(true);
  expect(await pass(1, 0)).toBe(false);
});

test("nothing counts after the end", async () => {
  const { come, give } = pieces();
  give(0);
  give(1);
  const taken: string[] = [];
  for await (const piece of come) taken.push(piece);
  expect(taken).toEqual(["piece", "piece"]);
  expect(vi.getTimerCount()).toBe(0);
});
