import { invariants } from "../../edge/audit/invariants.ts";
import { lastDays } from "../../edge/statistics/days.ts";
import type { Database } from "../local-system/database.ts";
import type { Finding } from "./findings.ts";

const rowsShownMax = 20;
/** Older days are deleted. */
const daysKept = 7;

/** The sweep ends a job a minute after its time, and may be late. */
const overdueMs = 10 * 60_000;

/**
 * Checks every invariant that reading the database once can prove, in one transaction. `now`: ms; `jobTimeMs`: how
 * long a job may run.
 */
export async function auditDatabase(
  database: Database,
  { now, jobTimeMs }: { now: number; jobTimeMs: number },
): Promise<Finding[]> {
  const [firstDay = ""] = lastDays(now, daysKept);
  const checked = invariants({ firstDay, startedAfter: now - jobTimeMs - overdueMs });
  const results = await database.execute(
    checked.map(({ query }) => `SELECT * FROM (${query}) LIMIT ${rowsShownMax + 1}`),
  );
  return checked.map(({ name, sentence }, index) => {
    const rows = (results[index] ?? []).map((row) => ({
      accountId: String(row["account_id"]),
      subject: String(row["subject"]),
      detail: String(row["detail"]),
    }));
    return { name, sentence, rows: rows.slice(0, rowsShownMax), hasMore: rows.length > rowsShownMax };
  });
}
