import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { z } from "zod";
import { Problem } from "../problem.ts";
import { persistFolder, wranglerConfig, wranglerEnvironment, wranglerProgram } from "./wrangler.ts";

export type Row = Readonly<Record<string, unknown>>;

/** A D1 database as wrangler reaches it. */
export interface Database {
  /** Runs statements of `sql.ts` in one transaction and returns the rows of each. */
  execute(statements: readonly string[]): Promise<Row[][]>;
}

/** The database of a state folder, also while its system runs. */
export interface LocalDatabase extends Database {
  /** Brings the tables to what the code expects. Not while the system runs. */
  migrate(): Promise<void>;
}

const busyTriesMax = 20;
const busyPauseMs = 250;
const lockedMessage = "SQLITE_BUSY";
const noTablesMessage = "no such table";

const answerSchema = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }));

/** The rows of each statement in what `wrangler d1 execute --json` prints. */
export function readAnswer(printed: string): Row[][] {
  return answerSchema.parse(JSON.parse(printed)).map(({ results }) => results);
}

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
      for (let tries = 1; ; tries++) {
        const result = await d1("execute", "ferry", "--json", "--command", statements.join("; "));
        signal?.throwIfAborted();
        if (!result.failed) return readAnswer(result.stdout);
        if (result.stdout.includes(noTablesMessage)) {
          throw new Problem(`No system has run on ${stateDir} yet: start one there with npm start.`);
        }
        const locked = result.stdout.includes(lockedMessage);
        if (!locked || tries === busyTriesMax) throw new Error(`The database refused:\n${result.stdout}`);
        await sleep(busyPauseMs);
      }
    },
  };
}
