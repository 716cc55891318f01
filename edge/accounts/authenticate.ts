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

/** Lets a request pass that carries a valid `x-api-key`, and sets its account. */
export const authenticate = createMiddleware<HttpEnv>(async (c, next) => {
  if (!keyOf(c)) throw missingApiKey();
  const account = await accountOfRequest(c);
  if (account === null) throw invalidApiKey();
  c.set("account", account);
  await next();
  // Answers are one account's, and hold URLs that open its files: no cache may keep them.
  c.header("cache-control", "no-store");
});

/** The account whose key a request carries; null when the key is not valid, or is no longer. */
export async function accountOfRequest(c: Context<HttpEnv>): Promise<Account | null> {
  const key = keyOf(c);
  return key === undefined ? null : accountOfKey(c.env, key);
}

function keyOf(c: Context<HttpEnv>): string | undefined {
  return c.req.header("x-api-key")?.trim();
}

/** Only good answers are remembered: a flood of wrong keys pushes nobody out, and a new key works at once. */
async function accountOfKey(
  { database, clock }: Pick<Dependencies, "database" | "clock">,
  key: string,
): Promise<Account | null> {
  if (!isApiKeyShaped(key)) return null;
  const hash = await hashApiKey(key);
  // Taken before the query: the remembered answer is as old as what it was read from.
  const now = clock();
  const recent = recentAccounts(database).get(hash, now);
  if (recent !== null) return recent;
  const account = await findAccount(database, hash);
  if (account !== null) recentAccounts(database).set(hash, account, now);
  return account;
}
