import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toolRuns } from "../../../scripts/tests/current-tools.ts";
import { repositoryRoot } from "../../repository/repository.ts";

test("every run with newer tools names tests that exist", () => {
  const files = toolRuns.flatMap((run) => run.files);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
});
