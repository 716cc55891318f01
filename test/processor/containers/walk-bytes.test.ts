import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  createWalker,
  takeAll,
  walkAlong,
  walkThrough,
  watched,
  type ByteWalk,
} from "../../../processor/containers/walk-bytes.ts";

/** Requests bytes (negative: skips them), and returns those received. */
function* walkWishes(wishes: readonly number[]): ByteWalk<string[]> {
  const seen: string[] = [];
  for (const wish of wishes) {
    const bytes = yield wish;
    if (wish > 0) seen.push(bytes.toString("hex"));
  }
  return seen;
}

test("a walk sees the same however a stream is chunked, and less only at its end", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 10 });
  const wishes = fc.array(fc.integer({ min: -30, max: 12 }));
  fc.assert(
    fc.property(pieces, wishes, (given, wanted) => {
      const walker = createWalker(walkWishes(wanted));
      for (const piece of given) {
        const chunk = Buffer.from(piece);
        walker.take(chunk);
        // A reader may reuse its buffer.
        chunk.fill(0xee);
      }
      const whole = Buffer.concat(given);
      let at = 0;
      const expected: string[] = [];
      for (const wish of wanted) {
        if (wish > 0) expected.push(whole.subarray(at, at + wish).toString("hex"));
        at = Math.min(whole.length, at + Math.abs(wish));
      }
      expect(walker.end()).toEqual(expected);
    }),
  );
});

const bytes = fc.uint8Array({ maxLength: 60 }).map((content) => Buffer.from(content));
const wishes = fc.array(fc.integer({ min: -30, max: 12 }), { maxLength: 10 });

test("bytes in memory lead a walk as a stream does, or report how many it needs", () => {
  fc.assert(
    fc.property(bytes, wishes, (content, wanted) => {
      const walker = createWalker(walkWishes(wanted));
      walker.take(content);
      const led = walkThrough(walkWishes(wanted), content);
      if ("finding" in led) expect(led.finding).toEqual(walker.end());
      else expect(led.wantedBytes).toBeGreaterThan(content.length);
    }),
  );
});

test("random access leads a walk as a stream does", async () => {
  await fc.assert(
    fc.asyncProperty(bytes, wishes, async (content, wanted) => {
      const walker = createWalker(walkWishes(wanted));
      walker.take(content);
      const readAt = async (at: number, length: number) => content.subarray(at, at + length);
      await expect(walkAlong(walkWishes(wanted), readAt)).resolves.toEqual(walker.end());
    }),
  );
});

test("a watched walk sees the same, and its watcher sees all of it", () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 5 }), wishes, (given, wanted) => {
      const seen: Buffer[] = [];
      const plain = createWalker(walkWishes(wanted));
      const walker = createWalker(watched(walkWishes(wanted), (piece) => seen.push(Buffer.from(piece))));
      for (const piece of given) {
        plain.take(piece);
        walker.take(piece);
      }
      expect(walker.end()).toEqual(plain.end());
      const passed = wanted.reduce((sum, wish) => sum + Math.abs(wish), 0);
      expect(Buffer.concat(seen)).toEqual(Buffer.concat(given).subarray(0, passed));
    }),
  );
});

test("bytes taken in pieces are complete, unless the stream ends before", () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 5 }), fc.integer({ min: 0, max: 200 }), (given, wanted) => {
      const seen: Buffer[] = [];
      const walker = createWalker(takeAll(wanted, (piece) => seen.push(Buffer.from(piece))));
      for (const piece of given) walker.take(piece);
      const whole = Buffer.concat(given);
      expect(walker.end()).toBe(whole.length >= wanted);
      expect(Buffer.concat(seen)).toEqual(whole.subarray(0, wanted));
    }),
  );
});
