import { and, eq } from "drizzle-orm";
import type { Database } from "../dependencies.ts";
import { jobs } from "./job.table.ts";

export type JobRow = typeof jobs.$inferSelect;

/** One account's job by its lower-case id. Null if it has none with that id. Reads one row. */
export async function findJob(database: Database, accountId: string, jobId: string): Promise<JobRow | null> {
  const rows = await database
    .select()
    .from(jobs)
    .where(and(eq(jobs.accountId, accountId), eq(jobs.id, jobId)));
  return rows[0] ?? null;
}
