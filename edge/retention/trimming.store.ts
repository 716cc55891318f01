import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { flagColumn } from "../columns.ts";
import type { Database } from "../dependencies.ts";

/** The accounts that one step looks at, starting from its position. */
export interface AccountRange {
  readonly accountId: string;
  /** Of the first account, only jobs after this one are looked at. */
  readonly through: string;
  readonly lastAccountId: string;
  /** No account comes after them. */
  readonly isLast: boolean;
}

const accountsAtOnce = 200;

const rangeRows = z.array(
  z.object({
    accountId: z.string(),
    through: z.string(),
    lastAccountId: z.string(),
    isLast: flagColumn,
  }),
);

/** Where the next step is to look; null if it is not time for one, or there is no account. */
export async function readRange(database: Database, now: number): Promise<AccountRange | null> {
  const rows = await database.all(sql`
    SELECT account_id AS accountId, through, looked.last AS lastAccountId, looked.count < ${accountsAtOnce} AS isLast
    FROM trimming CROSS JOIN (
      SELECT max(id) AS last, count(*) AS count FROM (
        SELECT id FROM accounts WHERE id >= (SELECT account_id FROM trimming) ORDER BY id LIMIT ${accountsAtOnce})
    ) AS looked
    WHERE next_at <= ${now} AND looked.last IS NOT NULL`);
  return rangeRows.parse(rows)[0] ?? null;
}

/** The statement that records the last job looked at, and when the pass continues. */
export function moveOn({ accountId, jobId }: { accountId: string; jobId: string }, nextAt: number): SQL {
  return sql`UPDATE trimming SET account_id = ${accountId}, through = ${jobId}, next_at = ${nextAt}`;
}
