import { invariants } from "../../../edge/audit/invariants.ts";
import type { Database } from "../../../edge/dependencies.ts";

/**
 * The audit's invariants that an account violates, with the rows that do. `firstDay`: YYYY-MM-DD; `startedAfter`: running
 * jobs may be of any age unless it is given.
 */
export async function brokenInvariants(
  database: Database,
  firstDay: string,
  accountId: string,
  startedAfter = 0,
) {
  const checked = invariants({ firstDay, startedAfter });
  const results = await database.$client.batch<Record<string, unknown>>(
    checked.map(({ query }) =>
      database.$client.prepare(`SELECT * FROM (${query}) WHERE account_id = ?`).bind(accountId),
    ),
  );
  return checked.flatMap(({ name }, index) => {
    const rows = results[index]?.results ?? [];
    return rows.length === 0 ? [] : [{ name, rows }];
  });
}
