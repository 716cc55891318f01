import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  createHostConnections,
  HostBusy,
  type HostConnection,
} from "../../../processor/network/host-connections.ts";

const asking = { signal: new AbortController().signal, mayWait: true };

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
        const connections = createHostConnections(most);
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
  const connections = createHostConnections(1);
  await connections.take("a.example", asking);
  expect(await isResolved(connections.take("b.example", asking))).toBe(true);
});

test("a request that does not wait is rejected at the limit, and takes nothing", async () => {
  const connections = createHostConnections(1);
  const only = await connections.take("a.example", asking);
  await expect(connections.take("a.example", { ...asking, mayWait: false })).rejects.toBeInstanceOf(HostBusy);
  only.release();
  only.release();
  await connections.take("a.example", asking);
  await expect(connections.take("a.example", { ...asking, mayWait: false })).rejects.toBeInstanceOf(HostBusy);
});

test("holders are told when others wait, even those served while others still wait", async () => {
  const connections = createHostConnections(1);
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
  const connections = createHostConnections(1);
  const first = await connections.take("a.example", asking);
  const stopping = new AbortController();
  const stopped = connections.take("a.example", { signal: stopping.signal, mayWait: true });
  const next = connections.take("a.example", asking);
  stopping.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
  first.release();
  await expect(next).resolves.toBeDefined();
});
