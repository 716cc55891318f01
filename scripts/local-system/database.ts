import { createHash, createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Problem } from "../problem.ts";
import { persistFolder } from "./wrangler.ts";

export type Row = Readonly<Record<string, unknown>>;

/** A D1 database. */
export interface Database {
  /** Runs statements from `sql.ts` in one transaction and returns the rows of each. */
  execute(statements: readonly string[]): Promise<Row[][]>;
}

/** The database of a state folder, usable while its system is running. */
export interface LocalDatabase extends Database {
  /** Creates the database and its tables, or brings existing ones up to date. Not while the system is running. */
  migrate(): Promise<void>;
}

const migrationsFolder = fileURLToPath(new URL("../../drizzle", import.meta.url));

/** How long a transaction waits for another program's to end. */
const lockWaitMs = 10_000;

const noTablesMessage = "no such table";
const answerSchema = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }));

/** The rows of each statement in what `wrangler d1 execute --json` prints. */
export function readAnswer(printed: string): Row[][] {
  return answerSchema.parse(JSON.parse(printed)).map(({ results }) => results);
}

/** Opens the database of a state folder. */
export function openDatabase(stateDir: string): LocalDatabase {
  const file = databaseFile(stateDir);
  return {
    async migrate() {
      await mkdir(dirname(file), { recursive: true });
      const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql")).sort();
      const migrations = names.map(async (name) => ({
        name,
        text: await readFile(join(migrationsFolder, name), "utf8"),
      }));
      applyMigrations(file, await Promise.all(migrations));
    },

    async execute(statements) {
      if (!existsSync(file)) throw noSystem(stateDir);
      try {
        return inOneTransaction(file, statements);
      } catch (error) {
        if (error instanceof Error && error.message.includes(noTablesMessage)) throw noSystem(stateDir);
        throw error;
      }
    },
  };
}

const noSystem = (stateDir: string) =>
  new Problem(`No system has run on ${stateDir} yet: start one there with npm start.`);

/** As in wrangler.toml. */
const databaseId = "00000000-0000-0000-0000-000000000000";
const databaseObject = "miniflare-D1DatabaseObject";

/** The file in which the local runtime keeps the database of a state folder, named as it names all its objects. */
export function databaseFile(stateDir: string): string {
  const key = createHash("sha256").update(databaseObject).digest();
  const half = (text: string | Buffer) => createHmac("sha256", key).update(text).digest().subarray(0, 16);
  const first = half(databaseId);
  const name = Buffer.concat([first, half(first)]).toString("hex");
  return join(persistFolder(stateDir), "v3", "d1", databaseObject, `${name}.sqlite`);
}

interface Migration {
  readonly name: string;
  readonly text: string;
}

/**
 * Applies the migrations that are missing, each in one transaction with the row that says so, in the table that
 * wrangler keeps for deployed databases. Here, wrangler would start a runtime for each of them.
 */
function applyMigrations(file: string, migrations: readonly Migration[]): void {
  const database = new DatabaseSync(file, { timeout: lockWaitMs });
  try {
    database.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS d1_migrations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT UNIQUE,
        applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
      )`);
    const rows = database.prepare("SELECT name FROM d1_migrations").all();
    const applied = new Set(rows.map(({ name }) => name));
    for (const { name, text } of migrations.filter((one) => !applied.has(one.name))) {
      database.exec(`BEGIN IMMEDIATE; ${text}`);
      database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
      database.exec("COMMIT");
    }
  } finally {
    // Rolls back what was not committed.
    database.close();
  }
}

/**
 * A running edge does not wait for another program's write: its requests fail in the meantime. So this opens the file
 * itself and writes for about a millisecond, whereas a second runtime would first write its own tables.
 */
function inOneTransaction(file: string, statements: readonly string[]): Row[][] {
  const database = new DatabaseSync(file, { timeout: lockWaitMs });
  try {
    const onlyReads = statements.every((statement) => /^\s*(?:SELECT|WITH)\b/i.test(statement));
    database.exec(onlyReads ? "BEGIN" : "BEGIN IMMEDIATE");
    const rows = statements.map((statement) =>
      database
        .prepare(statement)
        .all()
        .map((row) => ({ ...row })),
    );
    database.exec("COMMIT");
    return rows;
  } finally {
    // Rolls back what was not committed.
    database.close();
  }
}
