import { billingPeriod } from "../../edge/usage/billing-period.ts";
import type { Database, Row } from "../local-system/database.ts";
import { Problem } from "../problem.ts";
import { sql } from "./sql.ts";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** Start of its first billing period, milliseconds since the epoch; null: billing is not enabled. */
  readonly billingStart: number | null;
  readonly limits: Limits;
  /** First characters of each valid key, oldest first. */
  readonly keyPrefixes: readonly string[];
}

/** How many of an account's jobs may run at a time, and may wait before no more are accepted; null: no limit. */
export interface Limits {
  readonly running: number | null;
  readonly pending: number | null;
}

/** What the database stores of a key. */
export interface StoredKey {
  readonly hash: string;
  readonly prefix: string;
}

interface NewAccount {
  readonly id: string;
  readonly name: string;
  readonly key: StoredKey;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Adds an account with its counters and its first key; false, adding nothing, if the name is taken. */
export async function addAccount(database: Database, { id, name, key, now }: NewAccount): Promise<boolean> {
  const added = await database.execute([
    sql`INSERT INTO accounts (id, name, created_at) VALUES (${id}, ${name}, ${now}) ON CONFLICT (name) DO NOTHING`,
    sql`INSERT INTO account_counters (account_id) SELECT id FROM accounts WHERE id = ${id}`,
    sql`INSERT INTO api_keys (hash, prefix, account_id, created_at)
        SELECT ${key.hash}, ${key.prefix}, id, ${now} FROM accounts WHERE id = ${id}`,
    sql`SELECT id FROM accounts WHERE id = ${id}`,
  ]);
  return (added.at(-1) ?? []).length === 1;
}

/** Makes sure that an account with that name exists, under whatever id, and has the key. */
export async function provideAccount(database: Database, { id, name, key, now }: NewAccount): Promise<void> {
  await database.execute([
    sql`INSERT INTO accounts (id, name, created_at) VALUES (${id}, ${name}, ${now}) ON CONFLICT (name) DO NOTHING`,
    sql`INSERT INTO account_counters (account_id) SELECT id FROM accounts WHERE name = ${name}
        ON CONFLICT (account_id) DO NOTHING`,
    sql`INSERT INTO api_keys (hash, prefix, account_id, created_at)
        SELECT ${key.hash}, ${key.prefix}, id, ${now} FROM accounts WHERE name = ${name}
        ON CONFLICT (hash) DO NOTHING`,
  ]);
}

/** All accounts, oldest first. */
export async function listAccounts(database: Database): Promise<Account[]> {
  const [accounts = [], keys = []] = await database.execute([
    sql`SELECT id, name, created_at, billing_start, running_limit, pending_limit
        FROM accounts LEFT JOIN account_counters ON account_id = id ORDER BY created_at, id`,
    sql`SELECT account_id, prefix FROM api_keys WHERE revoked_at IS NULL ORDER BY created_at`,
  ]);
  return accounts.map((row) => toAccount(row, keys));
}

function toAccount(row: Row, keys: readonly Row[]): Account {
  return {
    id: String(row["id"]),
    name: String(row["name"]),
    createdAt: Number(row["created_at"]),
    billingStart: row["billing_start"] === null ? null : Number(row["billing_start"]),
    limits: limitsOf(row),
    keyPrefixes: keys.filter((key) => key["account_id"] === row["id"]).map((key) => String(key["prefix"])),
  };
}

function limitsOf(row: Row): Limits {
  const limit = (value: unknown) => (value === null ? null : Number(value));
  return { running: limit(row["running_limit"]), pending: limit(row["pending_limit"]) };
}

/**
 * Changes those of the account's limits that are given, and returns all, with its name. Ends no running job and refuses
 * no waiting one. Throws a Problem if there is no such account.
 */
export async function limitAccount(
  database: Database,
  account: string,
  { running, pending }: Partial<Limits>,
): Promise<Limits & { readonly name: string }> {
  const changed = (limit: number | null | undefined) => (limit === undefined ? 0 : 1);
  const [, limited = []] = await database.execute([
    sql`UPDATE account_counters SET
          running_limit = CASE ${changed(running)} WHEN 1 THEN ${running ?? null} ELSE running_limit END,
          pending_limit = CASE ${changed(pending)} WHEN 1 THEN ${pending ?? null} ELSE pending_limit END
        WHERE account_id IN (SELECT id FROM accounts WHERE name = ${account} OR id = ${account})`,
    sql`SELECT name, running_limit, pending_limit FROM accounts JOIN account_counters ON account_id = id
        WHERE name = ${account} OR id = ${account}`,
  ]);
  const [row] = limited;
  if (!row) throw new Problem(`No account has the name or id ${account}`);
  return { name: String(row["name"]), ...limitsOf(row) };
}

/**
 * Revokes every key of the account (given by name or id) and gives it the new one. Throws a Problem if there is no such
 * account.
 */
export async function replaceKeys(
  database: Database,
  account: string,
  key: StoredKey,
  now: number,
): Promise<void> {
  const [, , owned = []] = await database.execute([
    sql`UPDATE api_keys SET revoked_at = ${now} WHERE revoked_at IS NULL
        AND account_id IN (SELECT id FROM accounts WHERE name = ${account} OR id = ${account})`,
    sql`INSERT INTO api_keys (hash, prefix, account_id, created_at)
        SELECT ${key.hash}, ${key.prefix}, id, ${now} FROM accounts WHERE name = ${account} OR id = ${account}`,
    sql`SELECT account_id FROM api_keys WHERE hash = ${key.hash}`,
  ]);
  if (owned.length === 0) throw new Problem(`No account has the name or id ${account}`);
}

/** Revokes the only valid key that starts with `prefix`. Throws a Problem if there is none, or more than one. */
export async function revokeKey(database: Database, prefix: string, now: number): Promise<string> {
  const [matches = []] = await database.execute([
    sql`SELECT api_keys.hash, api_keys.prefix, accounts.name FROM api_keys JOIN accounts ON accounts.id = account_id
        WHERE revoked_at IS NULL AND substr(prefix, 1, length(${prefix})) = ${prefix} ORDER BY accounts.name, prefix`,
  ]);
  const [only, ...others] = matches;
  if (!only) throw new Problem(`No valid key starts with ${prefix}`);
  if (others.length > 0) {
    const list = matches.map((row) => `  ${String(row["prefix"])}…  ${String(row["name"])}`);
    throw new Problem(`${matches.length} valid keys start with ${prefix}:\n${list.join("\n")}`);
  }
  await database.execute([sql`UPDATE api_keys SET revoked_at = ${now} WHERE hash = ${String(only["hash"])}`]);
  return String(only["name"]);
}

/**
 * Starts the account's billing periods at `start`, and counts what it has stored in the current one. Times are
 * milliseconds since the epoch. Returns the account's name; throws a Problem if there is no such account.
 */
export async function enableBilling(
  database: Database,
  account: string,
  start: number,
  now: number,
): Promise<string> {
  const period = billingPeriod(start, now).start;
  const [, , , named = []] = await database.execute([
    sql`UPDATE accounts SET billing_start = ${start} WHERE name = ${account} OR id = ${account}`,
    sql`UPDATE account_counters SET period_start = ${period}, period_storage_bytes = (
          SELECT coalesce(sum(file_size + (
            SELECT coalesce(sum(value ->> 'bytes'), 0) FROM json_each(coalesce(sidecars, '[]')))), 0)
          FROM jobs WHERE jobs.account_id = account_counters.account_id AND status = 'Completed'
            AND finished_at >= ${period})
        WHERE account_id IN (SELECT id FROM accounts WHERE name = ${account} OR id = ${account})`,
    // A job that is being completed right now was read before this: with a new token it is read again, and counted in
    // the new periods.
    sql`UPDATE jobs SET transition = lower(hex(randomblob(16))) WHERE status = 'Processing'
        AND account_id IN (SELECT id FROM accounts WHERE name = ${account} OR id = ${account})`,
    sql`SELECT name FROM accounts WHERE name = ${account} OR id = ${account}`,
  ]);
  const [found] = named;
  if (!found) throw new Problem(`No account has the name or id ${account}`);
  return String(found["name"]);
}
