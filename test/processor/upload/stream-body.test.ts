import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { OutgoingPart } from "../../../processor/upload/object-body.ts";
import { createPartMemory } from "../../../processor/upload/part-memory.ts";
import { streamBody } from "../../../processor/upload/stream-body.ts";

const never = new AbortController().signal;
const facts = () => Promise.reject(new Error("not asked here"));

async function* streamOf(pieces: readonly Uint8Array[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

test("however a stream is chunked, its parts have the same size except the last, and add up to the stream", async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      pieces,
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      async (given, partBytes, isKnown) => {
        const whole = Buffer.concat(given);
        const mostBytes = isKnown ? Math.max(1, whole.length) : null;
        const account = createPartMemory(2 * partBytes).openAccount();
        const body = streamBody({ chunks: streamOf(given), partBytes, mostBytes, facts }, account, never);
        const parts: Buffer[] = [];
        const whether: boolean[] = [];
        for await (const part of body.parts) {
          expect(part.number).toBe(parts.length + 1);
          const bytes = Buffer.from(await part.load());
          expect(bytes.length).toBe(part.bytes);
          parts.push(bytes);
          whether.push(part.isWhole);
          part.release();
        }
        expect(Buffer.concat(parts).equals(whole)).toBe(true);
        for (const part of parts.slice(0, -1)) expect(part.length).toBe(partBytes);
        expect(whether).toEqual(parts.map(() => parts.length === 1));
      },
    ),
  );
});

test("parts still in flight when the stream has ended count as used until they are released", async () => {
  const memory = createPartMemory(100);
  const chunks = streamOf([Buffer.alloc(25)]);
  const body = streamBody({ chunks, partBytes: 10, mostBytes: null, facts }, memory.openAccount(), never);
  const parts: OutgoingPart[] = [];
  for await (const part of body.parts) parts.push(part);
  expect(parts).toHaveLength(3);
  const used = parts.map((part) => {
    part.release();
    return memory.usedBytes();
  });
  expect(used).toEqual([20, 10, 0]);
});

test("a released part holds no bytes and cannot be loaded", async () => {
  const chunks = streamOf([Buffer.alloc(15)]);
  const account = createPartMemory(100).openAccount();
  const body = streamBody({ chunks, partBytes: 10, mostBytes: null, facts }, account, never);
  for await (const part of body.parts) {
    part.release();
    await expect(part.load()).rejects.toThrow("the part was released");
  }
});

test("a stream whose reader stops is closed, and its memory released", async () => {
  let isOpen = true;
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(10);
    } finally {
      isOpen = false;
    }
  }
  const memory = createPartMemory(10);
  const body = streamBody(
    { chunks: endless(), partBytes: 10, mostBytes: null, facts },
    memory.openAccount(),
    never,
  );
  for await (const part of body.parts) {
    expect(part.bytes).toBe(10);
    break;
  }
  expect(isOpen).toBe(false);
  expect(memory.usedBytes()).toBe(0);
  const other = memory.openAccount();
  await other.take(5, never);
  await expect(other.take(5, never)).resolves.toHaveLength(5);
});
