import { eq, sql } from "drizzle-orm";
import { accounts } from "../accounts/account.table.ts";
import type { Dependencies } from "../dependencies.ts";
import { decrypt, encrypt } from "../encryption/encrypt.ts";
import { webhookSecretContext } from "../encryption/secret-contexts.ts";
import { webhookKeyBytes, webhookSecretOf } from "./sign-webhook.ts";

type Surroundings = Pick<Dependencies, "database" | "settings" | "clock">;

/** How long the previous secret also signs after a rotation. */
const previousValidMs = 24 * 60 * 60 * 1000;
/** At most this many previous secrets sign: each adds a signature to every webhook. */
const previousMax = 10;

/** The account's secret, created when it is first requested or used. */
export async function webhookSecret(dependencies: Surroundings, accountId: string): Promise<string> {
  const { current } = await readEncrypted(dependencies, accountId);
  return decrypt(dependencies.settings.encryptionKeys, current, webhookSecretContext(accountId));
}

/**
 * The secrets that sign a webhook now, newest first: the current one, and for a while after a rotation the previous
 * ones.
 */
export async function signingSecrets(dependencies: Surroundings, accountId: string): Promise<string[]> {
  const { clock, settings } = dependencies;
  const { current, previous } = await readEncrypted(dependencies, accountId);
  const now = clock();
  const valid = [current, ...previous.filter(({ until }) => now < until).map(({ secret }) => secret)];
  return Promise.all(
    valid.map((text) => decrypt(settings.encryptionKeys, text, webhookSecretContext(accountId))),
  );
}

/**
 * Gives the account a new secret. `previousValidUntil`: until when the previous one also signs, ms. A single statement,
 * so that concurrent rotations each keep the one before.
 */
export async function rotateWebhookSecret(
  dependencies: Surroundings,
  accountId: string,
): Promise<{ secret: string; previousValidUntil: number }> {
  const { database, clock } = dependencies;
  await readEncrypted(dependencies, accountId);
  const { secret, encrypted } = await makeSecret(dependencies, accountId);
  const now = clock();
  const previousValidUntil = now + previousValidMs;
  await database.run(sql`
    UPDATE accounts
    SET webhook_secret = ${encrypted}, previous_webhook_secrets = (
      SELECT json_group_array(json(former)) FROM (
        SELECT json_object('secret', webhook_secret, 'until', ${previousValidUntil}) AS former
        UNION ALL
        SELECT value FROM json_each(previous_webhook_secrets) WHERE value ->> 'until' > ${now}
        LIMIT ${previousMax}))
    WHERE id = ${accountId}`);
  return { secret, previousValidUntil };
}

interface EncryptedSecrets {
  readonly current: string;
  readonly previous: readonly { readonly secret: string; readonly until: number }[];
}

/** Creates the account's first secret if it has none. Two concurrent calls both read the one written first. */
async function readEncrypted(dependencies: Surroundings, accountId: string): Promise<EncryptedSecrets> {
  const { database } = dependencies;
  const row = await readRow(database, accountId);
  if (row.current !== null) return { ...row, current: row.current };
  const { encrypted } = await makeSecret(dependencies, accountId);
  await database.run(
    sql`UPDATE accounts SET webhook_secret = ${encrypted} WHERE id = ${accountId} AND webhook_secret IS NULL`,
  );
  return { ...row, current: (await readRow(database, accountId)).current ?? encrypted };
}

async function readRow(database: Dependencies["database"], accountId: string) {
  const [row] = await database
    .select({
      current: accounts.webhookSecret,
      previous: accounts.previousWebhookSecrets,
    })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (row === undefined) throw new Error(`Account ${accountId} is not there`);
  return row;
}

async function makeSecret({ settings }: Pick<Dependencies, "settings">, accountId: string) {
  const secret = webhookSecretOf(crypto.getRandomValues(new Uint8Array(webhookKeyBytes)));
  return {
    secret,
    encrypted: await encrypt(settings.encryptionKeys, secret, webhookSecretContext(accountId)),
  };
}
