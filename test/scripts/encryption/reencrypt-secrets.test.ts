import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decrypt, encrypt, encryptedPrefix } from "../../../edge/encryption/encrypt.ts";
import { bucketSecretContext, webhookSecretContext } from "../../../edge/encryption/secret-contexts.ts";
import { reencryptSecrets } from "../../../scripts/encryption/reencrypt-secrets.ts";
import type { Database } from "../../../scripts/local-system/database.ts";
import { openMemoryDatabase } from "../accounts/memory-database.ts";

const newKey = () => new Uint8Array(randomBytes(32));
const [current, former] = [newKey(), newKey()];
const place = { endpoint: "https://s3.example", bucket: "media" };

const databaseOn = (raw: DatabaseSync, beforeEach: () => void = () => {}): Database => ({
  async execute(statements) {
    beforeEach();
    raw.exec("BEGIN");
    const rows = statements.map((statement) => raw.prepare(statement).all());
    raw.exec("COMMIT");
    return rows;
  },
});

/** Accounts with a bucket and webhook secrets, `account-<n>` encrypted with the nth key; and one account without any. */
async function fill(raw: DatabaseSync, keys: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
  const account =
    raw.prepare(`INSERT INTO accounts (id, name, created_at, webhook_secret, previous_webhook_secrets)
    VALUES (?, ?, 1, ?, ?)`);
  const location =
    raw.prepare(`INSERT INTO storage_locations (account_id, endpoint, bucket, secret_access_key)
    VALUES (?, ?, ?, ?)`);
  account.run("plain", "plain", null, "[]");
  location.run("plain", place.endpoint, place.bucket, null);
  for (const [index, key] of keys.entries()) {
    const id = `account-${index}`;
    const webhook = (text: string) => encrypt([key], `${text} of ${id}`, webhookSecretContext(id));
    const previous = [{ secret: await webhook("previous secret"), until: 5 }];
    account.run(id, id, await webhook("secret"), JSON.stringify(previous));
    const context = bucketSecretContext({ accountId: id, ...place });
    location.run(id, place.endpoint, place.bucket, await encrypt([key], `bucket of ${id}`, context));
  }
}

/** The secrets of an account, decrypted with this key only. */
async function readSecrets(raw: DatabaseSync, id: string, key: Uint8Array<ArrayBuffer>) {
  const row = raw
    .prepare("SELECT webhook_secret, previous_webhook_secrets FROM accounts WHERE id = ?")
    .get(id);
  const held = raw.prepare("SELECT secret_access_key FROM storage_locations WHERE account_id = ?").get(id);
  const [previous] = JSON.parse(String(row?.["previous_webhook_secrets"]));
  const webhook = webhookSecretContext(id);
  return {
    webhook: await decrypt([key], String(row?.["webhook_secret"]), webhook),
    previous: { ...previous, secret: await decrypt([key], previous.secret, webhook) },
    bucket: await decrypt(
      [key],
      String(held?.["secret_access_key"]),
      bucketSecretContext({ accountId: id, ...place }),
    ),
  };
}
const saying = (id: string) => ({
  webhook: `secret of ${id}`,
  previous: { secret: `previous secret of ${id}`, until: 5 },
  bucket: `bucket of ${id}`,
});

/** Every text of every table. */
function allTexts(raw: DatabaseSync): string {
  const tables = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return JSON.stringify(tables.map(({ name }) => raw.prepare(`SELECT * FROM "${String(name)}"`).all()));
}

test("every secret can be decrypted with the new key alone, and nothing needs the previous one", async () => {
  const raw = await openMemoryDatabase();
  // More than two pages, some of them already encrypted with the new key.
  const keys = Array.from({ length: 45 }, (_, index) => (index % 9 === 0 ? current : former));
  await fill(raw, keys);
  expect(await reencryptSecrets(databaseOn(raw), [current, former])).toEqual([
    { name: "bucket credentials", rewritten: 40, unreadable: [], left: 0 },
    { name: "accounts' webhook secrets", rewritten: 40, unreadable: [], left: 0 },
  ]);
  for (const index of keys.keys())
    expect(await readSecrets(raw, `account-${index}`, current)).toEqual(saying(`account-${index}`));
  expect(allTexts(raw)).not.toContain(await encryptedPrefix(former));

  const before = allTexts(raw);
  const again = await reencryptSecrets(databaseOn(raw), [current, former]);
  expect(again.map(({ rewritten, left }) => [rewritten, left])).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(allTexts(raw)).toBe(before);
});

test("a run killed at any point leaves every secret readable, and the next one completes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 8 }), async (deathAt) => {
      const raw = await openMemoryDatabase();
      await fill(
        raw,
        Array.from({ length: 25 }, () => former),
      );
      let executed = 0;
      const dying = databaseOn(raw, () => {
        executed += 1;
        if (executed > deathAt) throw new Error("killed");
      });
      await reencryptSecrets(dying, [current, former]).catch((error: Error) =>
        expect(error.message).toBe("killed"),
      );
      const outcomes = await reencryptSecrets(databaseOn(raw), [current, former]);
      expect(outcomes.map(({ left }) => left)).toEqual([0, 0]);
      for (const id of ["account-0", "account-24"])
        expect(await readSecrets(raw, id, current)).toEqual(saying(id));
    }),
    { numRuns: 9 },
  );
});

test("a secret that changes meanwhile keeps its new value, and one that no key decrypts is reported and left", async () => {
  const raw = await openMemoryDatabase();
  await fill(raw, [former, newKey()]);
  let executed = 0;
  const racing = databaseOn(raw, () => {
    executed += 1;
    if (executed === 2)
      raw.exec("UPDATE storage_locations SET secret_access_key = 'v1.changed' WHERE id = 2");
  });
  expect(await reencryptSecrets(racing, [current, former])).toEqual([
    { name: "bucket credentials", rewritten: 0, unreadable: [3], left: 2 },
    { name: "accounts' webhook secrets", rewritten: 1, unreadable: ["account-1"], left: 1 },
  ]);
  expect(allTexts(raw)).toContain("v1.changed");
});
