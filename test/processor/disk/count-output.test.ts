import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { countOutput } from "../../../processor/disk/count-output.ts";
import { createDiskBudget } from "../../../processor/disk/disk-budget.ts";

const never = new AbortController().signal;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-output-"));
  return () => rm(folder, { recursive: true, force: true });
});

const budget = createDiskBudget({ totalBytes: async () => 1000, waitMaxMs: 1000 });

test("a file that outgrows the disk ends the program that writes it, and is deleted", async () => {
  await budget.within(async (disk) => {
    const path = join(folder, "output");
    const writing = countOutput(path, disk, never, async (signal) => {
      await writeFile(path, Buffer.alloc(1001));
      await new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    });
    await expect(writing).rejects.toMatchObject({ code: "too_large" });
    expect(await readdir(folder)).toEqual([]);
    disk.takeNow(1000);
  });
});

test("a file is counted until its work fails", async () => {
  await budget.within(async (disk) => {
    const path = join(folder, "output");
    await countOutput(path, disk, never, () => writeFile(path, Buffer.alloc(600)));
    expect(() => disk.takeNow(401)).toThrow("too_large");
    const other = join(folder, "other");
    const failing = countOutput(other, disk, never, async () => {
      await writeFile(other, Buffer.alloc(400));
      throw new Error("broken");
    });
    await expect(failing).rejects.toThrow("broken");
    disk.takeNow(400);
  });
});
