import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { execa } from "execa";
import { z } from "zod";
import { Problem } from "../problem.ts";
import { systemErrorCode } from "../system-error.ts";
import { persistFolder, wranglerConfig, wranglerEnvironment, wranglerProgram } from "./wrangler.ts";

export type Row = Readonly<Record<string, unknown>>;

/** A D1 database, reached through wrangler. */
export interface Database {
  /** Runs statements from `sql.ts` in one transaction and returns the rows of each. */
  execute(statements: readonly string[]): Promise<Row[][]>;
}

/** The database of a state folder, usable while its system is running. */
export interface LocalDatabase extends Database {
  /** Migrates the tables. Not while the system is running. */
  migrate(): Promise<void>;
}

/** How long a transaction waits for another program's to end. */
const lockWaitMs = 10_000;

const noTablesMessage = "no such table";
const answerSchema = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }));

/** The rows of each statement in what `wrangler d1 execute --json` prints. */
export function readAnswer(printed: string): Row[][] {
  return answerSchema.parse(JSON.parse(printed)).map(({ results }) => results);
}

/** Opens the database of a state folder. `signal` ends a migration or query that is running. */
export function openDatabase(stateDir: string, signal?: AbortSignal): LocalDatabase {
  async function d1(
    ...args: readonly string[]
  ): Promise<{ failed: boolean; stdout: string; stderr: string }> {
    const local = ["--local", "--persist-to", persistFolder(stateDir), "--config", wranglerConfig];
    const options = {
      env: wranglerEnvironment(stateDir),
      extendEnv: false,
      stdin: "ignore",
      reject: false,
    } as const;
    const cancelSignal = signal ? { cancelSignal: signal } : {};
    return execa(process.execPath, ["--no-warnings", wranglerProgram, "d1", ...args, ...local], {
      ...options,
      ...cancelSignal,
    });
  }

  return {
    async migrate() {
      const result = await d1("migrations", "apply", "ferry");
      signal?.throwIfAborted();
      if (result.failed)
        throw new Error(`The database could not be migrated:\n${result.stdout}\n${result.stderr}`);
    },

    async execute(statements) {
      const file = await databaseFile(stateDir);
      if (file === null) throw noSystem(stateDir);
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

/** The file in which wrangler keeps the database of a state folder; null if there is none yet. */
async function databaseFile(stateDir: string): Promise<string | null> {
  const folder = join(persistFolder(stateDir), "v3", "d1", "miniflare-D1DatabaseObject");
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  });
  const name = names.find((one) => one.endsWith(".sqlite") && one !== "metadata.sqlite");
  return name === undefined ? null : join(folder, name);
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
