import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forbiddenImports } from "./import-rules.ts";
import { readImports } from "./read-imports.ts";
import { listFiles, repositoryRoot } from "./repository.ts";

let sources: string[];
beforeAll(async () => {
  const files = await listFiles();
  sources = files.filter((path) => /\.tsx?$/.test(path));
});

test("imports go in one direction", async () => {
  const files = await readImports(repositoryRoot, sources);
  expect(files.length).toBeGreaterThan(50);
  expect(files.some(({ imports }) => imports.length > 0)).toBe(true);
  expect(forbiddenImports(files)).toEqual([]);
});

describe("a violation added to a copy is detected:", () => {
  let copy: string;
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), "ferry-architecture-"));
    for (const path of sources) await cp(join(repositoryRoot, path), join(copy, path));
  });
  afterAll(() => rm(copy, { recursive: true }));

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

  test.for(violations)("%s with %s", async ([path, statement]) => {
    await writeFile(join(copy, path), `${statement}\n`);
    const found = forbiddenImports(await readImports(copy, [...sources, path]));
    await rm(join(copy, path));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${dirname(path)}/planted`);
  });
});
