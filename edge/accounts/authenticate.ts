import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { isApiKeyShaped } from "../../contracts/api-key.ts";
import type { Dependencies } from "../dependencies.ts";
import type { HttpEnv } from "../http/http-env.ts";
import { perDatabase } from "../per-database.ts";
import { invalidApiKey, missingApiKey } from "./account-errors.ts";
import type { Account } from "./account.ts";
import { hashApiKey } from "./api-key-hash.ts";
import { findAccount } from "./find-account.store.ts";
import { RecentAccounts } from "./recent-accounts.ts";

const recentAccounts = perDatabase(() => new RecentAccounts());

/** Lets a request pass if it has a valid `x-api-key`, and sets its account. */
export const authenticate = createMiddleware<HttpEnv>(async (c, next) => {
  if (!keyOf(c)) throw missingApiKey();
  const account = await accountOfRequest(c);
  if (account === null) throw invalidApiKey();
  c.set("account", account);
  await next();
  // Responses belong to one account and contain URLs that open its files: no cache may keep them.
  c.header("cache-control", "no-store");
});

/** The account of a request's key; null if the key is invalid or revoked. */
export async function accountOfRequest(c: Context<HttpEnv>): Promise<Account | null> {
  const key = keyOf(c);
  return key === undefined ? null : accountOfKey(c.env, key);
}

function keyOf(c: Context<HttpEnv>): string | undefined {
  return c.req.header("x-api-key")?.trim();
}

/** Only successful lookups are cached: a flood of wrong keys evicts nobody, and a new key works immediately. */
async function accountOfKey(
  { database, clock }: Pick<Dependencies, "database" | "clock">,
  key: string,
): Promise<Account | null> {
  if (!isApiKeyShaped(key)) return null;
  const hash = await hashApiKey(key);
  // Taken before the query: a cached answer is as old as the data it was read from.
  const now = clock();
  const recent = recentAccounts(database).get(hash, now);
  if (recent !== null) return recent;
  const account = await findAccount(database, hash);
  if (account !== null) recentAccounts(database).set(hash, account, now);
  return account;
}
