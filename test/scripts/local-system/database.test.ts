import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../../scripts/local-system/database.ts";
import { Problem } from "../../../scripts/problem.ts";

let stateDir: string;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "ferry-database-"));
});
afterEach(() => rm(stateDir, { recursive: true }));

/** The database where wrangler would have created it. */
async function makeFile(): Promise<DatabaseSync> {
  const folder = join(stateDir, "wrangler/v3/d1/miniflare-D1DatabaseObject");
  await mkdir(folder, { recursive: true });
  const file = new DatabaseSync(join(folder, "0123.sqlite"));
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
