import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { systemErrorCode } from "../system-error.ts";
import { countTests, type Counts } from "./test-counts.ts";

/** Runs every test, with vitest's own output, and counts them. */
export async function runTests(): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-tests-"));
  const reportFile = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  try {
    const { exitCode } = await execa("vitest", ["run", ...reporters], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      reject: false,
    });
    return countTests(await readReport(reportFile), exitCode ?? 1);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readReport(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}
