import { dirname } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { forbiddenImports, type ImportingFile } from "./import-rules.ts";
import { importsOf, readImports } from "./read-imports.ts";
import { listFiles, repositoryRoot } from "./repository.ts";

let files: readonly ImportingFile[];
beforeAll(async () => {
  const sources = (await listFiles()).filter((path) => /\.tsx?$/.test(path));
  files = await readImports(repositoryRoot, sources);
});

test("imports go in one direction", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.some(({ imports }) => imports.length > 0)).toBe(true);
  expect(forbiddenImports(files)).toEqual([]);
});

describe("a violation added to the files is detected:", () => {
  const violations = [
    ["contracts/planted.ts", `import { hash } from "node:crypto";`],
    ["contracts/planted.ts", `import type { Env } from "../edge/dependencies.ts";`],
    ["edge/planted.ts", `import { readFile } from "node:fs/promises";`],
    ["edge/jobs/planted.ts", `import type { Config } from "../../processor/config.ts";`],
    ["edge/planted.ts", `export { readConfig } from "../processor/config.ts";`],
    ["processor/planted.ts", `export * from "../edge/settings.ts";`],
    ["processor/planted.ts", `const settings = await import("../edge/settings.ts");`],
    ["processor/planted.ts", `import { eq } from "drizzle-orm";`],
    ["processor/planted.ts", `import { DurableObject } from "cloudflare:workers";`],
    ["dashboard/planted.tsx", `import { jobStatuses } from "../contracts/job-status.ts";`],
    ["edge/planted.ts", `import { Problem } from "../scripts/problem.ts";`],
    ["scripts/planted.ts", `import { listFiles } from "../test/repository/repository.ts";`],
    ["edge/jobs/planted.route.ts", `import { route } from "./get-job.route.ts";`],
    ["edge/jobs/planted.route.ts", `import { sql } from "drizzle-orm";`],
  ] as const;

  test.for(violations)("%s with %s", ([path, statement]) => {
    const found = forbiddenImports([...files, importsOf(path, `${statement}\n`)]);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${dirname(path)}/planted`);
  });
});
