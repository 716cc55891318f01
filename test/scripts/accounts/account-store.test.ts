import { DatabaseSync } from "node:sqlite";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  addAccount,
  listAccounts,
  provideAccount,
  replaceKeys,
  revokeKey,
} from "../../../scripts/accounts/account-store.ts";
import type { Database } from "../../../scripts/local-system/database.ts";
import { Problem } from "../../../scripts/problem.ts";

const root = join(import.meta.dirname, "../../..");
let raw: DatabaseSync;
let database: Database;

beforeEach(async () => {
  raw = new DatabaseSync(":memory:");
  const migrations: string[] = [];
  for await (const name of glob("drizzle/*.sql", { cwd: root })) migrations.push(name);
  for (const name of migrations.sort()) raw.exec(await readFile(join(root, name), "utf8"));
  database = {
    execute: async (statements) => statements.map((statement) => raw.prepare(statement).all()),
  };
});

const key = (name: string) => ({ hash: `hash-${name}`, prefix: `sk_${name}` });
const acme = { id: "id-1", name: `Acme's "best"; --`, key: key("first"), now: 1 };
const rows = (table: string) => raw.prepare(`SELECT * FROM ${table}`).all();

describe("an account", () => {
  test("is created with its counters and its key", async () => {
    expect(await addAccount(database, acme)).toBe(true);
    expect(await listAccounts(database)).toEqual([
      {
        id: "id-1",
        name: acme.name,
        createdAt: 1,
        billingStart: null,
        limits: { running: null, pending: 100_000 },
        keyPrefixes: ["sk_first"],
      },
    ]);
    expect(rows("account_counters")).toMatchObject([{ account_id: "id-1", jobs_created: 0 }]);
    expect(rows("api_keys")).toMatchObject([{ hash: "hash-first", account_id: "id-1", revoked_at: null }]);
  });

  test("with a name that is taken is not created at all", async () => {
    await addAccount(database, acme);
    expect(await addAccount(database, { ...acme, id: "id-2", key: key("second") })).toBe(false);
    expect(rows("accounts")).toHaveLength(1);
    expect(rows("api_keys")).toHaveLength(1);
    expect(rows("account_counters")).toHaveLength(1);
  });

  test("is provided once, with every key that it is given", async () => {
    await provideAccount(database, acme);
    await provideAccount(database, { ...acme, id: "id-2" });
    await provideAccount(database, { ...acme, id: "id-3", key: key("second") });
    expect(await listAccounts(database)).toMatchObject([
      { id: "id-1", keyPrefixes: ["sk_first", "sk_second"] },
    ]);
    expect(rows("account_counters")).toHaveLength(1);
  });

  test.for(["id-1", acme.name])(
    "gets a new key by %s, and its previous ones are revoked",
    async (account) => {
      await addAccount(database, acme);
      await addAccount(database, { id: "id-2", name: "Other", key: key("other"), now: 1 });
      await replaceKeys(database, account, key("second"), 2);
      expect(rows("api_keys").map((row) => [row["hash"], row["revoked_at"]])).toEqual(
        expect.arrayContaining([
          ["hash-first", 2],
          ["hash-second", null],
          ["hash-other", null],
        ]),
      );
    },
  );

  test("that does not exist gets no key", async () => {
    await addAccount(database, acme);
    await expect(replaceKeys(database, "Nobody", key("second"), 2)).rejects.toThrow(Problem);
    expect(rows("api_keys")).toMatchObject([{ hash: "hash-first", revoked_at: null }]);
  });
});

describe("a key", () => {
  beforeEach(async () => {
    await addAccount(database, acme);
    await addAccount(database, { id: "id-2", name: "Other", key: key("fifth"), now: 1 });
  });

  test("is revoked by its prefix", async () => {
    expect(await revokeKey(database, "sk_fir", 5)).toBe(acme.name);
    expect(rows("api_keys").map((row) => row["revoked_at"])).toEqual(expect.arrayContaining([5, null]));
  });

  test("is not revoked if the prefix is ambiguous, and all matches are listed", async () => {
    await expect(revokeKey(database, "sk_fi", 5)).rejects.toThrow(/2 valid keys.*\n.*sk_first.*\n.*sk_fifth/);
    expect(rows("api_keys").every((row) => row["revoked_at"] === null)).toBe(true);
  });

  test("is revoked once", async () => {
    await revokeKey(database, "sk_first", 5);
    await expect(revokeKey(database, "sk_first", 6)).rejects.toThrow("No valid key starts with sk_first");
  });
});
