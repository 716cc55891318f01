import { sql } from "drizzle-orm";
import type { Dependencies } from "../dependencies.ts";

/** Names of the migrations that the database has had, in order, as wrangler keeps them; none where it has had none. */
export async function appliedMigrations({ database }: Pick<Dependencies, "database">): Promise<string[]> {
  const [table] = await database.all(sql`SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'`);
  if (table === undefined) return [];
  const rows = await database.all<{ name: string }>(sql`SELECT name FROM d1_migrations ORDER BY id`);
  return rows.map(({ name }) => name);
}
