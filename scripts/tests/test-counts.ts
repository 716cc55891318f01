import { z } from "zod";

/** What is read of vitest's JSON report. */
const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts a run of vitest by its JSON report (null when it wrote none) and exit code. A file that could not be loaded
 * counts as one failure, and so does a run that failed for no test's sake.
 */
export function countTests(report: unknown, exitCode: number): Counts {
  if (report === null) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = reportSchema.parse(report);
  const brokenFiles = testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  const failed = numFailedTests + brokenFiles;
  return { passed: numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

export function addCounts(all: readonly Counts[]): Counts {
  return all.reduce((sum, one) => ({ passed: sum.passed + one.passed, failed: sum.failed + one.failed }), {
    passed: 0,
    failed: 0,
  });
}
