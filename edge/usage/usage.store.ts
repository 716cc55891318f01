import { eq } from "drizzle-orm";
import { accounts } from "../accounts/account.table.ts";
import type { Database } from "../dependencies.ts";
import { accountCounters } from "./account-counter.table.ts";

export interface Usage {
  /** Jobs ever created. */
  readonly jobsCreated: number;
  /** Bytes ever stored. */
  readonly storageBytes: number;
  /** Anchor of the billing periods, ms; null: billing is not enabled. */
  readonly billingStart: number | null;
  /** The billing period that `periodStorageBytes` counts for, by its start in ms. */
  readonly periodStart: number;
  readonly periodStorageBytes: number;
}

/** Reads two rows. Throws when the account has no counters, which no account is without. */
export async function readUsage(database: Database, accountId: string): Promise<Usage> {
  const [usage] = await database
    .select({
      jobsCreated: accountCounters.jobsCreated,
      storageBytes: accountCounters.storageBytes,
      billingStart: accounts.billingStart,
      periodStart: accountCounters.periodStart,
      periodStorageBytes: accountCounters.periodStorageBytes,
    })
    .from(accountCounters)
    .innerJoin(accounts, eq(accounts.id, accountCounters.accountId))
    .where(eq(accountCounters.accountId, accountId));
  if (usage === undefined) throw new Error(`Account ${accountId} has no counters`);
  return usage;
}
