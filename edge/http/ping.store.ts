import { sql } from "drizzle-orm";
import type { Database } from "../dependencies.ts";

/** Rejects if the database does not answer. */
export async function pingDatabase(database: Database): Promise<void> {
  await database.run(sql`SELECT 1`);
}
