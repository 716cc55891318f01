import { sql } from "drizzle-orm";
import { transact } from "../../../edge/transact.ts";
import type { Database } from "../../../edge/dependencies.ts";

/** Every row of every table as one text: equal before and after anything that changes nothing. */
export async function readTables(database: Database): Promise<string> {
  const tables = await database.all<{ name: string }>(sql`
    SELECT name FROM sqlite_master
    WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE '!_cf!_%' ESCAPE '!'`);
  const rows = await transact(
    database,
    tables.map(({ name }) => sql`SELECT * FROM ${sql.identifier(name)}`),
  );
  return tables.map(({ name }, index) => `${name} ${JSON.stringify(rows[index], null, 1)}`).join("\n");
}
