import { describe, expect, test } from "vitest";
import { addCounts, countTests, listFailures } from "../../../scripts/tests/test-report.ts";

const file = (status: string, assertions: number) => ({
  name: "/ferry/test/a.test.ts",
  status,
  assertionResults: Array.from({ length: assertions }, (_, index) => ({ status, fullName: `test ${index}` })),
});

describe("a run of the tests", () => {
  test("counts the passed and the failed", () => {
    const report = { numPassedTests: 5, numFailedTests: 2, testResults: [file("failed", 7)] };
    expect(countTests(report, 1)).toEqual({ passed: 5, failed: 2 });
  });

  test("counts a file that could not be loaded as a failure", () => {
    const report = {
      numPassedTests: 5,
      numFailedTests: 0,
      testResults: [file("passed", 5), file("failed", 0)],
    };
    expect(countTests(report, 1)).toEqual({ passed: 5, failed: 1 });
  });

  test("fails if the runner does, even if every test passed", () => {
    const report = { numPassedTests: 5, numFailedTests: 0, testResults: [file("passed", 5)] };
    expect(countTests(report, 1)).toEqual({ passed: 5, failed: 1 });
  });

  test("fails without a report", () => {
    expect(countTests(null, 0)).toEqual({ passed: 0, failed: 1 });
  });

  test("lists failed tests, and files that could not be loaded", () => {
    const report = {
      numPassedTests: 1,
      numFailedTests: 2,
      testResults: [file("passed", 1), file("failed", 2), file("failed", 0)],
    };
    expect(listFailures(report)).toEqual([
      "/ferry/test/a.test.ts: test 0",
      "/ferry/test/a.test.ts: test 1",
      "/ferry/test/a.test.ts",
    ]);
    expect(listFailures(null)).toEqual([]);
  });

  test("adds up", () => {
    expect(
      addCounts([
        { passed: 1, failed: 2 },
        { passed: 3, failed: 4 },
      ]),
    ).toEqual({ passed: 4, failed: 6 });
  });
});
