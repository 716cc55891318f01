import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { Problem, runScript } from "../scripts/problem.ts";

const benchmarks = [
  "overhead",
  "api",
  "download",
  "links",
  "episodes",
  "shows",
  "memory",
  "copy-cpu",
  "extraction",
  "dashboard",
  "capacity",
] as const;

// `npm run bench`: runs all benchmarks one after the other, or the named ones. Each writes its figures into
// docs/benchmarks.md.
await runScript(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !benchmarks.some((known) => known === name));
  if (unknown.length > 0) {
    throw new Problem(`No benchmark is called ${unknown.join(", ")}. There are: ${benchmarks.join(", ")}.`);
  }
  let exitCode = 0;
  for (const name of asked.length > 0 ? asked : benchmarks) {
    const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
    const result = await execa(process.execPath, [file], { stdio: "inherit", reject: false });
    exitCode ||= result.exitCode ?? 1;
  }
  return exitCode;
});
