import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import * as schema from "../../../edge/schema.ts";

/**
 * The test's database, which can be made to fail permanently at the nth query from now, from 1: as seen by a process
 * that dies there, either `before` the query is executed or just `after`. `live` is the same database, working
 * normally.
 */
export function dyingDatabase() {
  let left = Number.POSITIVE_INFINITY;
  let dies: "before" | "after" = "before";
  const query = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    left -= 1;
    if (left < 0 || (left === 0 && dies === "before")) throw new Error("The process has died");
    const result = await run();
    if (left === 0) throw new Error("The process has died");
    return result;
  };
  const inner = new WeakMap<object, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped: Partial<Record<keyof D1PreparedStatement, unknown>> = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: () => query(() => statement.all()),
      run: () => query(() => statement.run()),
      raw: () => query(() => statement.raw()),
    };
    inner.set(wrapped, statement);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has all the methods that drizzle calls
    return wrapped as D1PreparedStatement;
  };
  const dying: Partial<Record<keyof D1Database, unknown>> = {
    prepare: (text: string) => wrap(env.DB.prepare(text)),
    batch: (statements: readonly D1PreparedStatement[]) =>
      query(() => env.DB.batch(statements.map((statement) => inner.get(statement) ?? statement))),
  };
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has all the methods that drizzle calls
    database: drizzle(dying as D1Database, { schema }),
    live: drizzle(env.DB, { schema }),
    dieAt: (queryNumber: number, when: "before" | "after") => {
      left = queryNumber;
      dies = when;
    },
    /** Whether that query has been reached. */
    hasDied: () => left <= 0,
  };
}
