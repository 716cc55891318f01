import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "../dependencies.ts";
import type { Account } from "./account.ts";
import { accounts, apiKeys } from "./account.table.ts";

/** The account of a key that is not revoked, by the key's hash; null when there is none. */
export async function findAccount(database: Database, keyHash: string): Promise<Account | null> {
  const rows = await database
    .select({ id: accounts.id, name: accounts.name })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(and(eq(apiKeys.hash, keyHash), isNull(apiKeys.revokedAt)));
  return rows[0] ?? null;
}
