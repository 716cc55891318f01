import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const root = join(import.meta.dirname, "../../..");

/** An empty database in memory with the tables of the migrations. */
export async function openMemoryDatabase(): Promise<DatabaseSync> {
  const database = new DatabaseSync(":memory:");
  const migrations: string[] = [];
  for await (const name of glob("drizzle/*.sql", { cwd: root })) migrations.push(name);
  for (const name of migrations.sort()) database.exec(await readFile(join(root, name), "utf8"));
  return database;
}
