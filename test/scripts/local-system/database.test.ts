import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { databaseFile, openDatabase } from "../../../scripts/local-system/database.ts";
import { Problem } from "../../../scripts/problem.ts";

let stateDir: string;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "ferry-database-"));
});
afterEach(() => rm(stateDir, { recursive: true }));

/** The database where the runtime would have created it. */
async function makeFile(): Promise<DatabaseSync> {
  const path = databaseFile(stateDir);
  await mkdir(dirname(path), { recursive: true });
  const file = new DatabaseSync(path);
  file.exec("PRAGMA journal_mode = WAL; CREATE TABLE things (name TEXT UNIQUE)");
  return file;
}

test("statements are one transaction: rows are returned in order, and none if one fails", async () => {
  const file = await makeFile();
  const database = openDatabase(stateDir);
  const insert = "INSERT INTO things VALUES ('a') RETURNING name";
  expect(await database.execute([insert, "SELECT count(*) AS count FROM things"])).toEqual([
    [{ name: "a" }],
    [{ count: 1 }],
  ]);
  await expect(database.execute(["INSERT INTO things VALUES ('b')", insert])).rejects.toThrow("UNIQUE");
  expect(await database.execute(["SELECT name FROM things"])).toEqual([[{ name: "a" }]]);
  file.close();
});

test("if no system has run, the message says so", async () => {
  const asked = openDatabase(stateDir).execute(["SELECT 1"]);
  await expect(asked).rejects.toThrow(Problem);
  await expect(asked).rejects.toThrow("start one there with npm start");
  (await makeFile()).close();
  await expect(openDatabase(stateDir).execute(["SELECT * FROM accounts"])).rejects.toThrow(Problem);
});

test("a new database gets every migration once, and one that fails leaves nothing behind", async () => {
  const database = openDatabase(stateDir);
  await database.migrate();
  await database.migrate();
  const names = "SELECT name FROM d1_migrations ORDER BY id";
  const [applied = []] = await database.execute([names]);
  const files = await readdir(new URL("../../../drizzle/", import.meta.url));
  const migrations = files.filter((name) => name.endsWith(".sql")).sort();
  expect(applied).toEqual(migrations.map((name) => ({ name })));

  // The first migration is missing, but only the first of its tables.
  await database.execute(["DELETE FROM d1_migrations WHERE name LIKE '0000%'", "DROP TABLE accounts"]);
  await expect(database.migrate()).rejects.toThrow("already exists");
  await expect(database.execute(["SELECT * FROM accounts"])).rejects.toThrow(Problem);
  expect(await database.execute([names])).toEqual([applied.slice(1)]);
});
