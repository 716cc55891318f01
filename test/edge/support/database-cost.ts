import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import type { Database } from "../../../edge/dependencies.ts";
import * as schema from "../../../edge/schema.ts";

/** What D1 bills, and the number of round trips. */
export interface DatabaseCost {
  queries: number;
  rowsRead: number;
  rowsWritten: number;
}

/** The test's database, counting its queries' cost. */
export function countingDatabase(): { database: Database; cost: DatabaseCost } {
  const cost: DatabaseCost = { queries: 0, rowsRead: 0, rowsWritten: 0 };
  const inner = new WeakMap<object, D1PreparedStatement>();

  const count = (results: readonly D1Result[]) => {
    cost.queries += 1;
    for (const { meta } of results) {
      cost.rowsRead += meta.rows_read;
      cost.rowsWritten += meta.rows_written;
    }
  };
  const runOne = async <Row>(statement: D1PreparedStatement): Promise<D1Result<Row>> => {
    const result = await statement.all<Row>();
    count([result]);
    return result;
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped: Partial<Record<keyof D1PreparedStatement, unknown>> = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: () => runOne(statement),
      run: () => runOne(statement),
      // A raw response does not include its cost.
      raw: async () => {
        const { results } = await runOne<Record<string, unknown>>(statement);
        return results.map((row) => Object.values(row));
      },
    };
    inner.set(wrapped, statement);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has all the methods that drizzle calls
    return wrapped as D1PreparedStatement;
  };
  const counting: Partial<Record<keyof D1Database, unknown>> = {
    prepare: (query: string) => wrap(env.DB.prepare(query)),
    batch: async (statements: readonly D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements.map((statement) => inner.get(statement) ?? statement));
      count(results);
      return results;
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has all the methods that drizzle calls
  return { database: drizzle(counting as D1Database, { schema }), cost };
}
