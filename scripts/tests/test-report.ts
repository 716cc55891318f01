import { z } from "zod";

/** What is read of vitest's JSON report. */
const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(
    z.object({
      /** The file's path. */
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts a run of vitest by its JSON report (null when it wrote none) and exit code. A file that could not be loaded
 * counts as one failure, and so does a run that failed although no test did.
 */
export function countTests(report: unknown, exitCode: number): Counts {
  if (report === null) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = reportSchema.parse(report);
  const failed = numFailedTests + testResults.filter(isBroken).length;
  return { passed: numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/** What failed, one line each: files that could not be loaded, and tests. */
export function listFailures(report: unknown): string[] {
  if (report === null) return [];
  return reportSchema
    .parse(report)
    .testResults.flatMap((file) =>
      isBroken(file)
        ? [file.name]
        : file.assertionResults
            .filter(({ status }) => status === "failed")
            .map(({ fullName }) => `${file.name}: ${fullName}`),
    );
}

function isBroken(file: z.infer<typeof reportSchema>["testResults"][number]): boolean {
  return file.status === "failed" && file.assertionResults.length === 0;
}

/** The sum of several counts. */
export function addCounts(all: readonly Counts[]): Counts {
  return all.reduce((sum, one) => ({ passed: sum.passed + one.passed, failed: sum.failed + one.failed }), {
    passed: 0,
    failed: 0,
  });
}
