import type { Account } from "./account.ts";

/** A revoked key must be refused within 60 s; a cached account is used for half of that. */
const lifetimeMs = 30_000;
const sizeMax = 1000;

/**
 * Caches the accounts of recently seen keys by key hash, so that a polling client does not cost a query for its key
 * with each request.
 */
export class RecentAccounts {
  readonly #entries = new Map<string, { account: Account; readAt: number }>();

  get(keyHash: string, now: number): Account | null {
    const entry = this.#entries.get(keyHash);
    if (entry === undefined) return null;
    if (now - entry.readAt < lifetimeMs) return entry.account;
    this.#entries.delete(keyHash);
    return null;
  }

  set(keyHash: string, account: Account, now: number): void {
    this.#entries.delete(keyHash);
    this.#entries.set(keyHash, { account, readAt: now });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > sizeMax && oldest !== undefined) this.#entries.delete(oldest);
  }
}
