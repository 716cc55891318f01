import * as fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import {
  createHostConnections,
  HostBusy,
  type HostConnection,
} from "../../../processor/network/host-connections.ts";
import { defaultPatience } from "../../../processor/network/patience.ts";

const { signal } = new AbortController();
const asking = { signal };
/** What does not wait. */
const passing = { signal, waitMs: 0 };

/** A clock that the test moves, for connections and their timers alike. */
function openConnections(most: number) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  return createHostConnections(most, { patience: defaultPatience, random: () => 0 });
}
afterEach(() => void vi.useRealTimers());

async function isResolved(promise: Promise<unknown>): Promise<boolean> {
  const notYet = Symbol("not yet");
  // If it is resolved, the promise's own reaction comes first.
  return (await Promise.race([promise, Promise.resolve(notYet)])) !== notYet;
}

test("a host gets a limited number of connections, in the order requested", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom("ask", "release"), { maxLength: 40 }),
      async (most, steps) => {
        const connections = createHostConnections(most, { patience: defaultPatience });
        const held: HostConnection[] = [];
        const asked: number[] = [];
        const granted: number[] = [];
        for (const step of steps) {
          if (step === "release") held.shift()?.release();
          else {
            const number = asked.push(asked.length) - 1;
            const take = async () => {
              held.push(await connections.take("media.example", asking));
              granted.push(number);
            };
            void take();
          }
          await new Promise(setImmediate);
          expect(held.length).toBeLessThanOrEqual(most);
        }
        expect(granted).toEqual(asked.slice(0, granted.length));
      },
    ),
  );
});

test("one host's connections do not count for another", async () => {
  const connections = createHostConnections(1, { patience: defaultPatience });
  await connections.take("a.example", asking);
  expect(await isResolved(connections.take("b.example", asking))).toBe(true);
});

test("a request that does not wait is rejected at the limit, and takes nothing", async () => {
  const connections = createHostConnections(1, { patience: defaultPatience });
  const only = await connections.take("a.example", asking);
  await expect(connections.take("a.example", passing)).rejects.toBeInstanceOf(HostBusy);
  only.release();
  only.release();
  await connections.take("a.example", asking);
  await expect(connections.take("a.example", passing)).rejects.toBeInstanceOf(HostBusy);
});

test("holders are told when others wait, even those served while others still wait", async () => {
  const connections = createHostConnections(1, { patience: defaultPatience });
  const first = await connections.take("a.example", asking);
  expect(await isResolved(first.wanted)).toBe(false);
  const waiting = [connections.take("a.example", asking), connections.take("a.example", asking)];
  await first.wanted;
  first.release();
  const second = await waiting[0];
  await second?.wanted;
  second?.release();
  const third = await waiting[1];
  expect(third && (await isResolved(third.wanted))).toBe(false);
});

test("an aborted wait leaves its place to the next", async () => {
  const connections = createHostConnections(1, { patience: defaultPatience });
  const first = await connections.take("a.example", asking);
  const stopping = new AbortController();
  const stopped = connections.take("a.example", { signal: stopping.signal });
  const next = connections.take("a.example", asking);
  stopping.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
  first.release();
  await expect(next).resolves.toBeDefined();
});

test("a host that turns one away while another delivers gets only as many as deliver, and later one more", async () => {
  const connections = openConnections(8);
  const first = await connections.take("a.example", asking);
  first.answered(true);
  const second = await connections.take("a.example", asking);
  second.turnedAway(0);
  second.release();
  await expect(connections.take("a.example", passing)).rejects.toBeInstanceOf(HostBusy);
  const waiting = connections.take("a.example", asking);
  await vi.advanceTimersByTimeAsync(defaultPatience.raiseEveryMs - 1);
  expect(await isResolved(waiting)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isResolved(waiting)).toBe(true);
  await expect(connections.take("b.example", passing)).resolves.toBeDefined();
});

test("nobody asks a host that rests, then a single one does, and all others when it has answered", async () => {
  const connections = openConnections(8);
  const first = await connections.take("a.example", asking);
  first.turnedAway(30_000);
  first.release();
  const waiting = Array.from({ length: 5 }, () => connections.take("a.example", asking));
  const granted = async () => (await Promise.all(waiting.map(isResolved))).filter(Boolean).length;
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await granted()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(await granted()).toBe(1);
  (await waiting[0])?.answered(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(await granted()).toBe(5);
});

test("one that wants to be alone waits until no other is left, lets others pass, and gives up in the end", async () => {
  const connections = openConnections(8);
  const first = await connections.take("a.example", asking);
  const alone = connections.take("a.example", { signal, waitMs: 1000, isAlone: true });
  const other = await connections.take("a.example", asking);
  await first.wanted;
  first.release();
  await vi.advanceTimersByTimeAsync(500);
  expect(await isResolved(alone)).toBe(false);
  other.release();
  const only = await alone;
  const next = connections.take("a.example", asking);
  expect(await isResolved(next)).toBe(false);
  only.answered(true);
  only.release();
  (await next).answered(true);
  // The host has shown that it bears one.
  await expect(connections.take("a.example", passing)).rejects.toBeInstanceOf(HostBusy);
  const late = connections.take("a.example", { signal, waitMs: 1000, isAlone: true });
  const failed = expect(late).rejects.toBeInstanceOf(HostBusy);
  await vi.advanceTimersByTimeAsync(1000);
  await failed;
});

test("one that cannot wait for long is granted beyond the bound, but never while the host rests", async () => {
  const connections = openConnections(1);
  const urgent = { signal, waitMs: 1000, isUrgent: true };
  const first = await connections.take("a.example", asking);
  const second = connections.take("a.example", urgent);
  await vi.advanceTimersByTimeAsync(1000);
  (await second).turnedAway(60_000);
  first.turnedAway(60_000);
  const third = expect(connections.take("a.example", urgent)).rejects.toBeInstanceOf(HostBusy);
  await vi.advanceTimersByTimeAsync(1000);
  await third;
});

test("a wait for a resting host ends with the signal's reason at once", async () => {
  const connections = openConnections(1);
  const first = await connections.take("a.example", asking);
  first.turnedAway(60_000);
  first.release();
  const stopping = new AbortController();
  const waiting = connections.take("a.example", { signal: stopping.signal });
  stopping.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});

test("nobody is forgotten whose host's rest ends while it is being looked at", async () => {
  for (let askedMs = 1; askedMs <= 20; askedMs += 1) {
    let nowMs = 0;
    const connections = createHostConnections(8, {
      patience: { ...defaultPatience, firstPauseMs: 0, longestPauseMs: 0 },
      // Each look at the clock sees a later time.
      now: () => (nowMs += 1),
    });
    const first = await connections.take("host", { signal: new AbortController().signal });
    first.turnedAway(askedMs);
    first.release();
    const next = await connections.take("host", { signal: AbortSignal.timeout(5_000) });
    next.release();
  }
});
