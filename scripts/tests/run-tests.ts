import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { readIfThere } from "../read-if-there.ts";
import { addCounts, countTests, type Counts, listFailures } from "./test-report.ts";

/** Their files run one at a time against real systems, and mostly wait. */
const waiting = ["browser", "conformance", "system"];

/** Two runs of vitest side by side: what mostly waits, and all that computes. */
const lanes = {
  waiting: waiting.map((project) => `--project=${project}`),
  computing: waiting.map((project) => `--project=!${project}`),
};

interface Run {
  readonly counts: Counts;
  readonly failures: readonly string[];
}

/** Runs every test, with vitest's own output, names those that failed and counts all. */
export async function runTests(): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-tests-"));
  try {
    const runs = await Promise.all(
      Object.entries(lanes).map(([lane, filters]) => runLane(filters, join(folder, `${lane}.json`))),
    );
    for (const failure of runs.flatMap(({ failures }) => failures)) console.log(`Failed: ${failure}`);
    return addCounts(runs.map(({ counts }) => counts));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runLane(filters: readonly string[], reportFile: string): Promise<Run> {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  const { exitCode } = await execa("vitest", ["run", ...filters, ...reporters], {
    stdin: "ignore",
    // By way of this process: a line that a terminal rewrites in place would be two runs' at once.
    stdout: ["pipe", "inherit"],
    stderr: ["pipe", "inherit"],
    buffer: false,
    reject: false,
  });
  const text = await readIfThere(reportFile);
  const report: unknown = text === null ? null : JSON.parse(text.toString());
  return { counts: countTests(report, exitCode ?? 1), failures: listFailures(report) };
}
