import type { SQL } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Database } from "./dependencies.ts";

const dialect = new SQLiteAsyncDialect();

/**
 * Runs statements as one D1 transaction, in order: all happen or none. Returns the rows that each returned. (drizzle's
 * own batch does not bind the parameters of raw statements.)
 */
export async function transact(database: Database, statements: readonly SQL[]): Promise<unknown[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = dialect.sqlToQuery(statement);
    return database.$client.prepare(sql).bind(...params);
  });
  const results = await database.$client.batch(prepared);
  return results.map(({ results: rows }) => rows);
}
