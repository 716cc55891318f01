import type { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { hashApiKey } from "../../../edge/accounts/api-key-hash.ts";
import { commands, type Given } from "../../../scripts/accounts/commands.ts";
import type { Database } from "../../../scripts/local-system/database.ts";
import { Problem } from "../../../scripts/problem.ts";
import { openMemoryDatabase } from "./memory-database.ts";

const now = Date.UTC(2026, 5, 15);
let raw: DatabaseSync;
let database: Database;

beforeEach(async () => {
  raw = await openMemoryDatabase();
  database = { execute: async (statements) => statements.map((statement) => raw.prepare(statement).all()) };
});

function run(name: string, argument = "", options: Given["options"] = {}) {
  const command = commands[name];
  if (!command) throw new Error(`no command ${name}`);
  return command.run(database, { argument, options, now });
}
const rows = (table: string) => raw.prepare(`SELECT * FROM ${table}`).all();

// oxlint-disable-next-line typescript/no-explicit-any -- the tests check what the commands print
const json = async (...given: Parameters<typeof run>): Promise<any> => (await run(...given)).json;

describe("npm run account", () => {
  test("create prints a working key, and stores only its hash", async () => {
    const { api_key: apiKey, account_id: id } = await json("create", "Acme");
    expect(apiKey).toMatch(/^sk_[A-Za-z0-9]{29}$/);
    expect(rows("api_keys")).toMatchObject([
      { hash: await hashApiKey(apiKey), prefix: apiKey.slice(0, 8), account_id: id, revoked_at: null },
    ]);
    expect(JSON.stringify([...rows("api_keys"), ...rows("accounts")])).not.toContain(apiKey);
    await expect(run("create", "Acme")).rejects.toThrow("An account named Acme already exists");
  });

  test.each(["two\nlines", "a".repeat(101), "\u202eemcA"])("create rejects the name %j", async (name) => {
    await expect(run("create", name)).rejects.toThrow("A name has at most 100 characters");
    expect(rows("accounts")).toEqual([]);
  });

  test("list shows accounts with the prefixes of their keys", async () => {
    const { account_id: id, api_key: apiKey } = await json("create", "Acme");
    expect(await json("list")).toEqual([
      {
        account_id: id,
        name: "Acme",
        created_at: now,
        billing_start: null,
        limits: { running: null, pending: 100_000 },
        key_prefixes: [apiKey.slice(0, 8)],
      },
    ]);
    expect((await run("list")).text).toBe(`${id}  Acme  ${apiKey.slice(0, 8)}`);
  });

  test("rotate-key revokes the old key at once and prints another", async () => {
    const { api_key: old } = await json("create", "Acme");
    const { api_key: rotated } = await json("rotate-key", "Acme");
    expect(rotated).not.toBe(old);
    const ended = new Map(rows("api_keys").map((row) => [row["hash"], row["revoked_at"]]));
    expect([ended.get(await hashApiKey(old)), ended.get(await hashApiKey(rotated))]).toEqual([now, null]);
    expect((await run("rotate-key", "Acme")).text).toMatch(
      /^The new key of Acme, shown only once:\nsk_\w{29}\nA revoked key may still be accepted for half a minute, and streams opened with it end within 40 seconds\.$/,
    );
    await expect(run("rotate-key", "Nobody")).rejects.toThrow(Problem);
  });

  test("revoke-key revokes the only key with the prefix, and rejects an ambiguous prefix with the list", async () => {
    const { api_key: one } = await json("create", "Acme");
    const { api_key: two } = await json("create", "Other");
    await expect(run("revoke-key", "sk_")).rejects.toThrow(
      `2 valid keys start with sk_:\n  ${one.slice(0, 8)}…  Acme\n  ${two.slice(0, 8)}…  Other`,
    );
    expect(await json("revoke-key", one.slice(0, 8))).toEqual({ account: "Acme", prefix: one.slice(0, 8) });
    expect(rows("api_keys").map((row) => row["revoked_at"])).toEqual(expect.arrayContaining([now, null]));
  });
});

describe("enable-billing", () => {
  const start = Date.UTC(2026, 4, 10);
  const period = Date.UTC(2026, 5, 10);
  let accountId: string;
  beforeEach(async () => {
    accountId = (await json("create", "Acme")).account_id;
  });

  function addJob(id: string, status: string, finishedAt: number | null) {
    raw
      .prepare(
        `INSERT INTO jobs (account_id, id, url, options, status, step, transition, turn, created_at, finished_at,
          storage_location_id, file_size, sidecars)
        VALUES (?, ?, '', '{}', ?, '', ?, 1, 1, ?, 1, 1000, '[{"bytes":10},{"bytes":1}]')`,
      )
      .run(accountId, id, status, `token of ${id}`, finishedAt);
  }

  test("sets the anchor, and counts the bytes already stored in the current period", async () => {
    addJob("before the period", "Completed", period - 1);
    addJob("at its start", "Completed", period);
    addJob("within", "Completed", period + 1);
    addJob("failed", "Failed", period + 1);
    const outcome = await run("enable-billing", "Acme", { "period-start": String(start) });
    expect(outcome.json).toEqual({ account: "Acme", billing_start: start });
    expect(outcome.text).toBe("Billing periods of Acme are months from 2026-05-10T00:00:00.000Z");
    expect(rows("accounts")).toMatchObject([{ billing_start: start }]);
    expect(rows("account_counters")).toMatchObject([
      { period_start: period, period_storage_bytes: 2 * 1011, storage_bytes: 0 },
    ]);
    expect((await json("list"))[0].billing_start).toBe(start);
  });

  test("makes a completion in progress be decided again", async () => {
    addJob("running", "Processing", null);
    addJob("ended", "Completed", period);
    await run("enable-billing", accountId, { "period-start": String(start) });
    const tokens = new Map(rows("jobs").map((row) => [row["id"], row["transition"]]));
    expect(tokens.get("running")).toMatch(/^[0-9a-f]{32}$/);
    expect(tokens.get("ended")).toBe("token of ended");
  });

  test("does not change other accounts", async () => {
    await run("create", "Other");
    await run("enable-billing", "Acme", { "period-start": String(start) });
    expect((await json("list"))[1]).toMatchObject({ name: "Other", billing_start: null });
  });

  test.for(["", "soon", "-1", "1.5", String(now + 1), "1749945600", "9".repeat(20)])(
    "rejects %j as a start",
    async (typed) => {
      await expect(run("enable-billing", "Acme", { "period-start": typed })).rejects.toThrow(
        "--period-start must be milliseconds since the Unix epoch, and not in the future",
      );
      expect(rows("accounts")).toMatchObject([{ billing_start: null }]);
    },
  );

  test("reports a missing account", async () => {
    await expect(run("enable-billing", "Nobody", { "period-start": String(start) })).rejects.toThrow(
      "No account has the name or id Nobody",
    );
  });
});

describe("limit", () => {
  beforeEach(async () => void (await json("create", "Acme")));

  test("sets each limit that is given, leaves the other alone, and takes them away again", async () => {
    expect(await json("limit", "Acme", { running: "8" })).toEqual({
      account: "Acme",
      limits: { running: 8, pending: 100_000 },
    });
    expect((await run("limit", "Acme", { pending: "50" })).text).toBe(
      "Jobs of Acme that may run at a time: 8; that may wait: 50",
    );
    expect(await json("limit", "Acme", { running: "none", pending: "none" })).toMatchObject({
      limits: { running: null, pending: null },
    });
    expect((await json("list"))[0].limits).toEqual({ running: null, pending: null });
  });

  test("does not change other accounts", async () => {
    await run("create", "Other");
    await run("limit", "Acme", { running: "1", pending: "1" });
    expect((await json("list"))[1]).toMatchObject({
      name: "Other",
      limits: { running: null, pending: 100_000 },
    });
  });

  test.for(["", "0", "-1", "1.5", "many", "9".repeat(11)])(
    "rejects %j and changes nothing",
    async (typed) => {
      await expect(run("limit", "Acme", { running: "8", pending: typed })).rejects.toThrow(
        "--pending must be a whole number from 1 to 1000000000, or none",
      );
      expect((await json("list"))[0].limits).toEqual({ running: null, pending: 100_000 });
    },
  );

  test("reports a missing account", async () => {
    await expect(run("limit", "Nobody", { running: "1" })).rejects.toThrow(
      "No account has the name or id Nobody",
    );
  });
});
