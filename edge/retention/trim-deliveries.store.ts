import { type SQL, sql } from "drizzle-orm";
import type { AccountRange } from "./trimming.store.ts";

const deliveriesAtOnce = 500;

/** The statements that delete old entries of the accounts' webhook logs, a limited number of them. */
export function trimDeliveries({ accountId, lastAccountId }: AccountRange, firstIdKept: string): SQL[] {
  const old = sql`
    SELECT log.account_id, log.id
    FROM accounts CROSS JOIN webhook_deliveries AS log ON log.account_id = accounts.id AND log.id < ${firstIdKept}
    WHERE accounts.id BETWEEN ${accountId} AND ${lastAccountId}
    ORDER BY accounts.id, log.id LIMIT ${deliveriesAtOnce}`;
  return [
    sql`
      UPDATE account_counters SET webhook_deliveries = webhook_deliveries - trimmed.entries
      FROM (SELECT account_id, count(*) AS entries FROM (${old}) GROUP BY account_id) AS trimmed
      WHERE account_counters.account_id = trimmed.account_id`,
    sql`DELETE FROM webhook_deliveries WHERE (account_id, id) IN (${old})`,
  ];
}
