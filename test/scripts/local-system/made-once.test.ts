import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { madeOnce } from "../../../scripts/local-system/made-once.ts";

const name = `made-once-test-${process.pid}`;
const parent = fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url));
afterEach(() => rm(parent, { recursive: true, force: true }));

const write = (text: string) =>
  vi.fn<(folder: string) => Promise<void>>((folder) => writeFile(join(folder, "made"), text));
const inputs = ["package.json"];

test("a folder is made once for the same files, and anew for others", async () => {
  const make = write("first");
  const folder = await madeOnce(name, inputs, make);
  expect(await madeOnce(name, inputs, make)).toBe(folder);
  expect(make).toHaveBeenCalledOnce();
  expect(await readFile(join(folder, "made"), "utf8")).toBe("first");
  expect(await madeOnce(name, [...inputs, "package-lock.json"], make)).not.toBe(folder);
});

test("of several that make it at once, the first to finish gives it its name", async () => {
  const [first, second] = await Promise.all(
    [write("one"), write("other")].map((make) => madeOnce(name, inputs, make)),
  );
  expect(second).toBe(first);
  expect(await readdir(parent)).toHaveLength(1);
});

test("what failed halfway is not taken for finished", async () => {
  const failing = async (folder: string) => {
    await writeFile(join(folder, "made"), "half");
    throw new Error("no more disk");
  };
  await expect(madeOnce(name, inputs, failing)).rejects.toThrow("no more disk");
  expect(await readdir(parent)).toEqual([]);
  const folder = await madeOnce(name, inputs, write("whole"));
  expect(await readFile(join(folder, "made"), "utf8")).toBe("whole");
});
