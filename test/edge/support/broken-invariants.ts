import { invariants } from "../../../edge/audit/invariants.ts";
import type { Database } from "../../../edge/dependencies.ts";

/** The audit's invariants that an account breaks, with the rows that do. `firstDay`: YYYY-MM-DD. */
export async function brokenInvariants(database: Database, firstDay: string, accountId: string) {
  const results = await database.$client.batch<Record<string, unknown>>(
    invariants(firstDay).map(({ query }) =>
      database.$client.prepare(`SELECT * FROM (${query}) WHERE account_id = ?`).bind(accountId),
    ),
  );
  return invariants(firstDay).flatMap(({ name }, index) => {
    const rows = results[index]?.results ?? [];
    return rows.length === 0 ? [] : [{ name, rows }];
  });
}
