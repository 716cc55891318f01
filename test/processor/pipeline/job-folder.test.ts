import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { withJobFolder } from "../../../processor/pipeline/job-folder.ts";

let workFolder: string;
beforeEach(async () => {
  workFolder = await mkdtemp(join(tmpdir(), "ferry-test-folder-"));
  return () => rm(workFolder, { recursive: true, force: true });
});

test("a job has its own folder while it runs, and none afterwards", async () => {
  const folders = await Promise.all(
    ["a", "b"].map((content) =>
      withJobFolder(workFolder, async (folder) => {
        await writeFile(join(folder, "file"), content);
        expect(await readdir(folder)).toEqual(["file"]);
        return folder;
      }),
    ),
  );
  expect(new Set(folders).size).toBe(2);
  expect(await readdir(workFolder)).toEqual([]);
});

test("the folder of a failed job is deleted as well", async () => {
  const failing = withJobFolder(workFolder, async (folder) => {
    await writeFile(join(folder, "file"), "left behind");
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  expect(await readdir(workFolder)).toEqual([]);
});
