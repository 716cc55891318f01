import { eq } from "drizzle-orm";
import { accounts } from "../accounts/account.table.ts";
import type { Database } from "../dependencies.ts";
import { accountCounters } from "./account-counter.table.ts";

export interface Usage {
  /** Jobs ever created. */
  readonly jobsCreated: number;
  /** Bytes ever stored. */
  readonly storageBytes: number;
  /** Start of the first billing period, ms; null: billing is not enabled. */
  readonly billingStart: number | null;
  /** The billing period that `periodStorageBytes` belongs to, by its start in ms. */
  readonly periodStart: number;
  readonly periodStorageBytes: number;
  /** Jobs that may run at a time, and that may wait before no more are accepted; null: no limit. */
  readonly runningLimit: number | null;
  readonly pendingLimit: number | null;
}

/** Reads two rows. Throws if the account has no counters, which every account has. */
export async function readUsage(database: Database, accountId: string): Promise<Usage> {
  const [usage] = await database
    .select({
      jobsCreated: accountCounters.jobsCreated,
      storageBytes: accountCounters.storageBytes,
      billingStart: accounts.billingStart,
      periodStart: accountCounters.periodStart,
      periodStorageBytes: accountCounters.periodStorageBytes,
      runningLimit: accountCounters.runningLimit,
      pendingLimit: accountCounters.pendingLimit,
    })
    .from(accountCounters)
    .innerJoin(accounts, eq(accounts.id, accountCounters.accountId))
    .where(eq(accountCounters.accountId, accountId));
  if (usage === undefined) throw new Error(`Account ${accountId} has no counters`);
  return usage;
}
