import { eq } from "drizzle-orm";
import type { Database } from "../dependencies.ts";
import { accountCounters } from "./account-counter.table.ts";

export interface Usage {
  /** Jobs ever created. */
  readonly jobsCreated: number;
  /** Bytes ever stored. */
  readonly storageBytes: number;
}

/** Reads one row. Throws when the account has no counters, which no account is without. */
export async function readUsage(database: Database, accountId: string): Promise<Usage> {
  const [usage] = await database
    .select({ jobsCreated: accountCounters.jobsCreated, storageBytes: accountCounters.storageBytes })
    .from(accountCounters)
    .where(eq(accountCounters.accountId, accountId));
  if (usage === undefined) throw new Error(`Account ${accountId} has no counters`);
  return usage;
}
