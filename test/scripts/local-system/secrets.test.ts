import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  beginKeyRotation,
  encryptionKey,
  endKeyRotation,
  previousEncryptionKey,
} from "../../../scripts/local-system/secrets.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-secrets-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a rotation keeps the previous key until it is finished, in files that only their owner can read", async () => {
  const first = await encryptionKey(folder);
  expect(await previousEncryptionKey(folder)).toBeNull();
  await beginKeyRotation(folder);
  const second = await encryptionKey(folder);
  expect(second).not.toBe(first);
  expect(await previousEncryptionKey(folder)).toBe(first);
  for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);

  await endKeyRotation(folder);
  expect(await previousEncryptionKey(folder)).toBeNull();
  expect(await readdir(folder)).toEqual(["encryption-key"]);
});

test("an interrupted rotation continues with the same keys", async () => {
  const first = await encryptionKey(folder);
  await beginKeyRotation(folder);
  const second = await encryptionKey(folder);
  await beginKeyRotation(folder);
  expect([await encryptionKey(folder), await previousEncryptionKey(folder)]).toEqual([second, first]);
});

test("one that died before the new key was stored generates another", async () => {
  const first = await encryptionKey(folder);
  await writeFile(join(folder, "encryption-key-previous"), await readFile(join(folder, "encryption-key")));
  await writeFile(join(folder, "encryption-key-drawn"), "half a k");
  await beginKeyRotation(folder);
  expect(await previousEncryptionKey(folder)).toBe(first);
  expect(await encryptionKey(folder)).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect(await encryptionKey(folder)).not.toBe(first);
});
