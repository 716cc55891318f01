import { expect, test } from "vitest";
import { defaultLimits } from "../../../contracts/limits.ts";
import { auditDatabase } from "../../../scripts/audit/database-audit.ts";
import { showFindings } from "../../../scripts/audit/findings.ts";
import { openMemoryDatabase } from "../accounts/memory-database.ts";

const now = Date.UTC(2026, 0, 31, 12);

async function auditOf(statements: string) {
  const raw = await openMemoryDatabase();
  raw.exec(statements);
  const database = {
    execute: async (queries: readonly string[]) => queries.map((query) => raw.prepare(query).all()),
  };
  return auditDatabase(database, { now, jobTimeMs: defaultLimits.jobTimeMs });
}

test("an empty database violates no invariant, and the report says so", async () => {
  const findings = await auditOf("");
  expect(findings.length).toBeGreaterThan(15);
  expect(findings.flatMap(({ rows }) => rows)).toEqual([]);
  expect(showFindings(findings)).toMatch(/No invariant is violated\.$/);
});

test("the report lists violating rows, up to twenty for each check", async () => {
  const accounts = Array.from({ length: 25 }, (_, index) => `('id-${index}', 'name-${index}', 1)`);
  const findings = await auditOf(`INSERT INTO accounts (id, name, created_at) VALUES ${accounts.join(", ")}`);
  const wrong = findings.filter(({ rows }) => rows.length > 0);
  expect(wrong).toMatchObject([{ name: "accounts", hasMore: true }]);
  expect(wrong[0]?.rows).toHaveLength(20);
  const report = showFindings(findings);
  expect(report).toContain("  id-0  id-0: no counters");
  expect(report).toContain("20+ wrong");
  expect(report).toContain(`1 of ${findings.length} checks failed.`);
});

test("days before the first that is certainly kept are not compared", async () => {
  const findings = await auditOf(
    "INSERT INTO day_counts (account_id, day, completed) VALUES ('a', '2026-01-24', 5)",
  );
  expect(findings.filter(({ rows }) => rows.length > 0)).toEqual([]);
});
