import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { headedBody } from "../../../processor/upload/headed-body.ts";
import { createPartMemory } from "../../../processor/upload/part-memory.ts";

const never = new AbortController().signal;
const facts = () => Promise.reject(new Error("not asked here"));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-headed-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const shape = fc.record({
  headBytes: fc.integer({ min: 1, max: 40 }),
  partBytes: fc.integer({ min: 1, max: 20 }),
  pieces: fc.array(fc.uint8Array({ minLength: 1, maxLength: 30 }), { maxLength: 8 }),
});

test("for any sizes, the parts add up to the head and the rest of the object, with the head sent last", async () => {
  await fc.assert(
    fc.asyncProperty(shape, async ({ headBytes, partBytes, pieces }) => {
      const head = Buffer.alloc(headBytes, "h");
      const memory = createPartMemory(1000);
      let held = 0;
      let isOver = false;
      async function* chunks() {
        for (const piece of pieces) yield Buffer.from(piece);
        isOver = true;
      }
      const disk = {
        take: async (bytes: number) => void (held += bytes),
        give: (bytes: number) => void (held -= bytes),
      };
      const written = async () => {
        expect(isOver).toBe(true);
        return head;
      };
      const body = headedBody(
        {
          chunks: chunks(),
          headBytes,
          head: written,
          partBytes,
          mostBytes: null,
          facts,
          path: join(folder, "beginning"),
        },
        memory.openAccount(),
        disk,
        never,
      );
      const parts: { number: number; bytes: Buffer; isWhole: boolean }[] = [];
      for await (const part of body.parts) {
        parts.push({ number: part.number, bytes: Buffer.from(await part.load()), isWhole: part.isWhole });
        part.release();
      }
      const whole = Buffer.concat([head, ...pieces]);
      const inOrder = parts.toSorted((one, other) => one.number - other.number);
      expect(Buffer.concat(inOrder.map(({ bytes }) => bytes)).equals(whole)).toBe(true);
      expect(inOrder.map(({ number }) => number)).toEqual(inOrder.map((_, index) => index + 1));
      expect(inOrder.slice(0, -1).every(({ bytes }) => bytes.length === partBytes)).toBe(true);
      expect(parts.map(({ isWhole }) => isWhole)).toEqual(parts.map(() => parts.length === 1));
      const withHead = Math.min(Math.ceil(headBytes / partBytes), parts.length);
      expect(parts.slice(-withHead).map(({ number }) => number)).toEqual(
        Array.from({ length: withHead }, (_, index) => index + 1),
      );
      expect(held).toBe(0);
      expect(memory.usedBytes()).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test("a stream that breaks ends its parts with the error, and keeps nothing", async () => {
  const broken = new Error("the source is gone");
  async function* chunks() {
    yield Buffer.alloc(35);
    throw broken;
  }
  let held = 0;
  const disk = {
    take: async (bytes: number) => void (held += bytes),
    give: (bytes: number) => void (held -= bytes),
  };
  const memory = createPartMemory(1000);
  const head = () => Promise.reject(new Error("not asked here"));
  const object = { chunks: chunks(), headBytes: 5, head, partBytes: 10, mostBytes: null, facts };
  const body = headedBody({ ...object, path: join(folder, "broken") }, memory.openAccount(), disk, never);
  const read = async () => {
    for await (const part of body.parts) part.release();
  };
  await expect(read()).rejects.toBe(broken);
  expect([held, memory.usedBytes()]).toEqual([0, 0]);
  expect(await readdir(folder)).toEqual([]);
});
