import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { readIfThere } from "../read-if-there.ts";
import { countTests, type Counts, listFailures } from "./test-report.ts";

/**
 * The parts of the tests, each a run of vitest. The first three run concurrently: the real systems that two of them start
 * mostly wait, and those run their files one at a time. The third is the longest and uses every core.
 */
const oneAtATime = "--maxWorkers=1";
const onEveryCore = `--maxWorkers=${availableParallelism()}`;
const parts = {
  onSystems: [oneAtATime, "--project=browser", "--project=system"],
  onInterface: [oneAtATime, "--project=conformance", "--project=edge"],
  others: [onEveryCore, "--project=node", "--project=media"],
  quick: [onEveryCore, "--project=node", "--project=edge"],
  long: [oneAtATime],
  withTools: [onEveryCore, "--project=node", "--project=media"],
} as const;

export interface TestRun {
  readonly counts: Counts;
  /** What failed, one line each. */
  readonly failures: readonly string[];
}

/** Runs a part of the tests, or those of its files that match a filter, with vitest's own output. */
export async function runTests(
  part: keyof typeof parts,
  filters: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<TestRun> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-tests-"));
  const reportFile = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  try {
    const { exitCode } = await execa("vitest", ["run", ...parts[part], ...filters, ...reporters], {
      stdin: "ignore",
      env: { ...env, FERRY_LONG_TESTS: String(part === "long") },
      // Through this process: otherwise several runs would rewrite the same line of a terminal.
      stdout: ["pipe", "inherit"],
      stderr: ["pipe", "inherit"],
      buffer: false,
      reject: false,
    });
    const text = await readIfThere(reportFile);
    const report: unknown = text === null ? null : JSON.parse(text.toString());
    return { counts: countTests(report, exitCode ?? 1), failures: listFailures(report) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
