import { sql } from "drizzle-orm";
import type { Dependencies } from "../../../edge/dependencies.ts";
import type { NewJob } from "../../../edge/jobs/create-jobs.store.ts";
import { transact } from "../../../edge/transact.ts";
import { noOptions } from "../../contracts/no-options.ts";

export function newJob(dependencies: Pick<Dependencies, "newId">, fields: Partial<NewJob> = {}): NewJob {
  return {
    id: dependencies.newId(),
    url: "https://media.example/video.mp4",
    folder: null,
    filename: null,
    webhookUrl: null,
    options: noOptions,
    ...fields,
  };
}

/** An account's counters, as in its row. */
export async function countersOf({ database }: Pick<Dependencies, "database">, accountId: string) {
  const [counters] = await database.all<Record<string, number>>(sql`
    SELECT jobs_created, storage_bytes, pending, processing, completed, failed FROM account_counters
    WHERE account_id = ${accountId}`);
  return counters;
}

/** Counters that must equal what the rows say, for every account. */
export async function countedFromRows({ database }: Pick<Dependencies, "database">, accountId: string) {
  const [counted] = await database.all<Record<string, number>>(sql`
    SELECT count(*) AS jobs_created,
      coalesce(sum(CASE status WHEN 'Completed' THEN file_size ELSE 0 END), 0) AS storage_bytes,
      coalesce(sum(status = 'Pending'), 0) AS pending, coalesce(sum(status = 'Processing'), 0) AS processing,
      coalesce(sum(status = 'Completed'), 0) AS completed, coalesce(sum(status = 'Failed'), 0) AS failed
    FROM jobs WHERE account_id = ${accountId}`);
  return counted;
}

/** An account without a key, for tests below HTTP. */
export async function createBareAccount({ database, newId, clock }: Dependencies): Promise<string> {
  const id = newId();
  await transact(database, [
    sql`INSERT INTO accounts (id, name, created_at) VALUES (${id}, ${id}, ${clock()})`,
    sql`INSERT INTO account_counters (account_id) VALUES (${id})`,
  ]);
  return id;
}
