import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lintAndTypes, runCheck } from "../../../scripts/checks/checks.ts";
import { repositoryRoot } from "../../repository/repository.ts";

test("a wrong type, another runtime's global and a promise that nobody awaits each fail the check", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ferry-lint-"));
  const planted = {
    "tsconfig.json": JSON.stringify({ extends: join(repositoryRoot, "tsconfig.json"), include: ["."] }),
    "type.ts": "export const wrong: number = String(1);\n",
    "global.ts": "export const name = document.title;\n",
    "promise.ts": "Promise.resolve(1);\n",
  };
  try {
    for (const [name, text] of Object.entries(planted)) await writeFile(join(folder, name), text);
    const [program, ...args] = lintAndTypes.command;
    const rules = ["--config", join(repositoryRoot, ".oxlintrc.json"), folder];
    const outcome = await runCheck({ name: "planted", command: [program, ...args, ...rules] });
    expect(outcome.passed).toBe(false);
    expect(outcome.output).toContain("TS2322");
    expect(outcome.output).toContain("Cannot find name 'document'");
    expect(outcome.output).toContain("no-floating-promises");
  } finally {
    await rm(folder, { recursive: true });
  }
});
