import * as fc from "fast-check";
import { expect, test } from "vitest";
import { smallestPartBytes } from "../../../processor/upload/part-plan.ts";
import { createPartMemory, type PartAccount } from "../../../processor/upload/part-memory.ts";

const never = new AbortController().signal;

/** Requests a buffer; the returned object shows later whether it was granted. */
function ask(account: PartAccount, bytes: number, signal = never) {
  const asked = { granted: false, piece: Buffer.alloc(0), failed: undefined as unknown };
  account.take(bytes, signal).then(
    (piece) => Object.assign(asked, { granted: true, piece }),
    (error: unknown) => (asked.failed = error),
  );
  return asked;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("requests beyond the budget wait for buffers to be returned, first come, first served", async () => {
  const memory = createPartMemory(10);
  const [one, other] = [memory.openAccount(), memory.openAccount()];
  const [ofOne, ofOther] = [await one.take(6, never), await other.take(4, never)];
  const [large, small] = [ask(one, 8), ask(other, 1)];
  await settled();
  expect([large.granted, small.granted]).toEqual([false, false]);
  other.give(ofOther);
  await settled();
  // The second holds nothing now, so it is served although the first is still waiting.
  expect([large.granted, small.granted]).toEqual([false, true]);
  one.give(ofOne);
  await settled();
  expect(large.granted).toBe(true);
});

test("a returned buffer is reused for the next request, and never for two at a time", async () => {
  const memory = createPartMemory(4 * smallestPartBytes);
  const account = memory.openAccount();
  const first = await account.take(smallestPartBytes, never);
  account.give(first);
  const [second, third] = [
    await account.take(smallestPartBytes, never),
    await account.take(smallestPartBytes, never),
  ];
  expect(second.buffer).toBe(first.buffer);
  expect(third.buffer).not.toBe(first.buffer);
  expect(await account.take(7, never)).toHaveLength(7);
});

test("returned buffers of any part size are kept for reuse, as far as the budget allows", async () => {
  const size = smallestPartBytes + 1;
  const account = createPartMemory(2 * size).openAccount();
  const first = await account.take(size, never);
  account.give(first);
  const again = await account.take(size, never);
  expect(again.buffer).toBe(first.buffer);
  account.give(again);
  await account.take(size - 1, never);
  const other = await account.take(size - 1, never);
  account.give(other);
  // It was dropped because the other two left no room in the budget.
  expect((await account.take(size, never)).buffer).not.toBe(first.buffer);
});

test("a wait ends with its signal, and those behind it move up", async () => {
  const memory = createPartMemory(10);
  const account = memory.openAccount();
  await account.take(5, never);
  const controller = new AbortController();
  const large = ask(account, 9, controller.signal);
  const small = ask(account, 5);
  controller.abort(new Error("stopped"));
  await settled();
  expect(large.failed).toEqual(new Error("stopped"));
  expect(small.granted).toBe(true);
});

test("whatever the holders do, only a holder's first buffer may exceed the budget", async () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 5 }), fc.boolean()));
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const memory = createPartMemory(12);
      const holders = Array.from({ length: 4 }, () => ({
        account: memory.openAccount(),
        asked: [] as { bytes: number; state: ReturnType<typeof ask> }[],
      }));
      for (const [index, bytes, isTaking] of all) {
        const holder = holders[index];
        if (isTaking) holder?.asked.push({ bytes, state: ask(holder.account, bytes) });
        const given = isTaking ? undefined : holder?.asked.findIndex(({ state }) => state.granted);
        if (given !== undefined && given >= 0) {
          const [piece] = holder?.asked.splice(given, 1) ?? [];
          if (piece !== undefined) holder?.account.give(piece.state.piece);
        }
        await settled();
        const granted = holders.map(({ asked }) => asked.filter(({ state }) => state.granted));
        const beyondFirst = granted
          .flatMap((pieces) => pieces.slice(1))
          .reduce((sum, one) => sum + one.bytes, 0);
        expect(beyondFirst).toBeLessThanOrEqual(12);
        for (const { asked } of holders)
          if (asked.length > 0) expect(asked.some(({ state }) => state.granted)).toBe(true);
      }
      for (const { account } of holders) account.close();
      await settled();
    }),
    { numRuns: 60 },
  );
});
