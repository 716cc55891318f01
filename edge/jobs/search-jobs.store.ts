import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../dependencies.ts";
import { listedColumns, newestFirst } from "./find-jobs.store.ts";
import { type JobFilter, type JobPage, listedJobSchema, type PageRange } from "./listed-job.ts";

/** A search finds at most this many jobs. */
export const foundMax = 1000;
/** If more match, it looks at this many of the newest jobs, and at this many matches. */
export const lookedMax = 5000;

type Search = JobFilter & { readonly search: string };

/** Ids of what was found, newest first, at least as far as the page reaches. */
interface Found {
  readonly ids: readonly string[];
  readonly total: number;
}

/**
 * A page of the jobs that match a search within a filter, newest first: by a complete job id, or by the beginning of
 * the URL. `total` counts to 1,000 at most. No index is ordered by both URL and age, so the number of rows read is
 * bounded instead: if over 5,000 jobs match and the filter's newest 5,000 jobs contain too few of them for the page,
 * those come first, followed by only some of the others.
 */
export async function searchJobs(
  database: Database,
  accountId: string,
  search: Search,
  { limit, offset }: PageRange,
): Promise<JobPage> {
  const isId = z.guid().safeParse(search.search).success;
  const { ids, total } = isId
    ? await findById(database, accountId, search)
    : await findByUrl(database, accountId, search, Math.min(offset + limit, foundMax));
  const page = JSON.stringify(ids.slice(offset, offset + limit));
  const jobs = await database.all(sql`
    SELECT ${listedColumns} FROM json_each(${page}) AS found
    CROSS JOIN jobs ON jobs.account_id = ${accountId} AND jobs.id = found.value ORDER BY found.key`);
  return { jobs: z.array(listedJobSchema).parse(jobs), total };
}

async function findById(database: Database, accountId: string, search: Search): Promise<Found> {
  const ids = await readIds(
    database,
    sql`SELECT id FROM jobs
      WHERE account_id = ${accountId} AND id = ${search.search.toLowerCase()} AND ${passes(search)}`,
  );
  return { ids, total: ids.length };
}

/** `reach`: how many are wanted. */
async function findByUrl(
  database: Database,
  accountId: string,
  search: Search,
  reach: number,
): Promise<Found> {
  const matching = await database.all<{ id: string; passes: number }>(byUrl(accountId, search, foundMax + 1));
  if (matching.length <= foundMax) {
    const ids = newest(matching.filter((row) => row.passes === 1).map(({ id }) => id));
    return { ids, total: ids.length };
  }
  // If there are many matches, the newest of them are likely among the newest jobs.
  const isFiltered = search.status !== null || search.batchId !== null;
  const wanted = isFiltered ? foundMax : reach;
  const walked = await readIds(
    database,
    sql`SELECT id FROM (${newestFirst(accountId, search)} LIMIT ${lookedMax})
      WHERE ${begins(search)} LIMIT ${wanted}`,
  );
  if (walked.length === wanted) return { ids: walked, total: foundMax };
  const rest = await readIds(
    database,
    sql`SELECT id FROM (${byUrl(accountId, search, lookedMax)})
      WHERE passes ORDER BY id DESC LIMIT ${foundMax}`,
  );
  const ids = newest(new Set([...walked, ...rest]));
  return { ids, total: isFiltered ? ids.length : foundMax };
}

async function readIds(database: Database, query: SQL): Promise<string[]> {
  const rows = await database.all<{ id: string }>(query);
  return rows.map(({ id }) => id);
}

function newest(ids: Iterable<string>): string[] {
  return [...ids].sort().toReversed().slice(0, foundMax);
}

function byUrl(accountId: string, search: Search, max: number): SQL {
  return sql`SELECT id, ${passes(search)} AS passes FROM jobs INDEXED BY jobs_by_url
    WHERE account_id = ${accountId} AND ${begins(search)} ORDER BY url DESC, id DESC LIMIT ${max}`;
}

/** No URL continues with the last code point, which is not a character: it ends the range of the prefix. */
function begins({ search }: Search): SQL {
  return sql`url >= ${search} AND url < ${`${search}\u{10FFFF}`}`;
}

function passes({ status, batchId }: JobFilter): SQL {
  const ofStatus = status === null ? sql`1` : sql`status = ${status}`;
  return batchId === null ? ofStatus : sql`(${ofStatus} AND batch_id IS ${batchId})`;
}
