import { appendFile, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { growingBody } from "../../../processor/upload/growing-body.ts";
import type { OutgoingPart } from "../../../processor/upload/object-body.ts";
import { createPartMemory } from "../../../processor/upload/part-memory.ts";

const never = new AbortController().signal;
const facts = () => Promise.reject(new Error("not asked here"));
let path: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "ferry-test-growing-"));
  path = join(folder, "file");
  await writeFile(path, "");
  return () => rm(folder, { recursive: true, force: true });
});

const partBytes = 10;
const text = (bytes: number, of: string) => of.repeat(bytes);

function grow(headBytes: number) {
  const { promise: finished, resolve: finish, reject: fail } = Promise.withResolvers<void>();
  const account = createPartMemory(1000).openAccount();
  const body = growingBody({ path, headBytes, finished, facts }, partBytes, account, never);
  const parts = body.parts[Symbol.asyncIterator]();
  const next = async () => {
    const { value } = await parts.next();
    return value === undefined ? null : read(value);
  };
  return { finish, fail, next };
}

async function read(part: OutgoingPart) {
  const bytes = Buffer.from(await part.load()).toString();
  part.release();
  return [part.number, bytes, part.isWhole];
}

test("parts after the head are sent as they fill up, those of the head last", async () => {
  const { finish, next } = grow(12);
  await appendFile(path, text(20, "?") + text(11, "a"));
  expect(await next()).toEqual([3, text(10, "a"), false]);
  const fourth = next();
  await appendFile(path, text(10, "b"));
  expect(await fourth).toEqual([4, "a".repeat(0) + text(1, "a") + text(9, "b"), false]);
  const file = await open(path, "r+");
  await file.write(text(20, "h"), 0);
  await file.close();
  finish();
  expect(await next()).toEqual([5, "b", false]);
  expect(await next()).toEqual([1, text(10, "h"), false]);
  expect(await next()).toEqual([2, text(10, "h"), false]);
  expect(await next()).toBeNull();
});

test("a file no larger than one part is sent whole", async () => {
  const { finish, next } = grow(3);
  await appendFile(path, "short");
  finish();
  expect(await next()).toEqual([1, "short", true]);
  expect(await next()).toBeNull();
});

test("a file that cannot be finished ends its parts with the error", async () => {
  const { fail, next } = grow(3);
  const broken = new Error("the program died");
  const waiting = expect(next()).rejects.toBe(broken);
  fail(broken);
  await waiting;
});
