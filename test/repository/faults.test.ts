import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "./repository.ts";

const read = (path: string) => readFile(join(repositoryRoot, path), "utf8");

test("each fault of the table names a test that exists", async () => {
  const rows = [
    ...(await read("test/faults/README.md")).matchAll(/`(test\/[^`]+\.test\.ts)` › (.+?) *\|$/gm),
  ];
  expect(rows.length).toBeGreaterThan(30);
  const missing = await Promise.all(
    rows.map(async ([, path = "", title = ""]) =>
      (await read(path)).includes(`"${title}"`) ? [] : [`${path} › ${title}`],
    ),
  );
  expect(missing.flat()).toEqual([]);
});
