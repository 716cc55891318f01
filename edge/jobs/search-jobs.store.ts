import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../dependencies.ts";
import { listedColumns, newestFirst } from "./find-jobs.store.ts";
import { type JobFilter, type JobPage, listedJobSchema, type PageRange } from "./listed-job.ts";

/** A search looks at so many jobs of a URL, and finds no more. */
export const foundMax = 1000;

/**
 * A page of the jobs that a search finds among those of a filter, newest first: by a whole job id, or by the beginning
 * of the URL. `total` counts to 1,000 at most. Where more URLs begin so, the matches among the filter's newest 1,000
 * jobs come first.
 */
export async function searchJobs(
  database: Database,
  accountId: string,
  filter: JobFilter & { readonly search: string },
  { limit, offset }: PageRange,
): Promise<JobPage> {
  const isId = z.guid().safeParse(filter.search).success;
  const ids = isId
    ? await idItself(database, accountId, filter)
    : await idsByUrl(database, accountId, filter);
  const page = JSON.stringify(ids.slice(offset, offset + limit));
  const jobs = await database.all(sql`
    SELECT ${listedColumns} FROM json_each(${page}) AS found
    CROSS JOIN jobs ON jobs.account_id = ${accountId} AND jobs.id = found.value ORDER BY found.key`);
  return { jobs: z.array(listedJobSchema).parse(jobs), total: ids.length };
}

type Search = JobFilter & { readonly search: string };

async function idItself(database: Database, accountId: string, search: Search): Promise<string[]> {
  const rows = await database.all<{ id: string }>(sql`
    SELECT id FROM jobs
    WHERE account_id = ${accountId} AND id = ${search.search.toLowerCase()} AND ${passes(search)}`);
  return rows.map(({ id }) => id);
}

/** Newest first. No URL goes on with the last code point, which is no character: it ends the range of the beginning. */
async function idsByUrl(database: Database, accountId: string, search: Search): Promise<string[]> {
  const begins = sql`url >= ${search.search} AND url < ${`${search.search}\u{10FFFF}`}`;
  const looked = await database.all<{ id: string; passes: number }>(sql`
    SELECT id, ${passes(search)} AS passes FROM jobs INDEXED BY jobs_by_url
    WHERE account_id = ${accountId} AND ${begins} ORDER BY url DESC, id DESC LIMIT ${foundMax}`);
  const ids = new Set(looked.filter((row) => row.passes === 1).map(({ id }) => id));
  if (looked.length === foundMax) {
    const newest = await database.all<{ id: string }>(sql`
      SELECT id FROM (${newestFirst(accountId, search)} LIMIT ${foundMax}) WHERE ${begins}`);
    for (const { id } of newest) ids.add(id);
  }
  return [...ids].sort().toReversed().slice(0, foundMax);
}

function passes({ status, batchId }: JobFilter): SQL {
  const ofStatus = status === null ? sql`1` : sql`status = ${status}`;
  return batchId === null ? ofStatus : sql`(${ofStatus} AND batch_id IS ${batchId})`;
}
