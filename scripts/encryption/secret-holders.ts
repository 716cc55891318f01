import { z } from "zod";
import { bucketSecretContext, webhookSecretContext } from "../../edge/encryption/secret-contexts.ts";
import type { EncryptionContext } from "../../edge/encryption/encrypt.ts";
import { sql } from "../accounts/sql.ts";

/** Re-encrypts a text of this context, unless it is already encrypted with the newest key. */
export type Reencrypt = (text: string, context: EncryptionContext) => Promise<string>;

/** A kind of row that holds encrypted texts. */
export interface SecretHolder {
  /** For messages, singular and plural. */
  readonly name: string;
  /** Rows with a text that does not start with the prefix, those after the id `after`, in order of their ids. */
  readonly select: (prefix: string, after: number | string) => string;
  /** Before every id. */
  readonly first: number | string;
  /** Re-encrypts a selected row's texts, unless one of them has changed in the meantime. */
  readonly rewrite: (row: unknown, reencrypt: Reencrypt) => Promise<string>;
}

const bucketRow = z.object({
  id: z.int(),
  account_id: z.string(),
  endpoint: z.string(),
  bucket: z.string(),
  secret_access_key: z.string(),
});

const buckets: SecretHolder = {
  name: "bucket credentials",
  first: 0,
  select: (prefix, after) => sql`
    SELECT id, account_id, endpoint, bucket, secret_access_key FROM storage_locations
    WHERE id > ${after} AND substr(secret_access_key, 1, ${prefix.length}) <> ${prefix} ORDER BY id`,
  async rewrite(row, reencrypt) {
    const { id, account_id: accountId, endpoint, bucket, secret_access_key: former } = bucketRow.parse(row);
    const secret = await reencrypt(former, bucketSecretContext({ accountId, endpoint, bucket }));
    return sql`
      UPDATE storage_locations SET secret_access_key = ${secret}
      WHERE id = ${id} AND secret_access_key = ${former}`;
  },
};

const accountRow = z.object({ id: z.string(), webhook_secret: z.string(), previous: z.string() });
const previousSecrets = z.array(z.object({ secret: z.string(), until: z.int() }));

/** An account has previous secrets only if it has a current one. */
const webhooks: SecretHolder = {
  name: "accounts' webhook secrets",
  first: "",
  select: (prefix, after) => sql`
    SELECT id, webhook_secret, previous_webhook_secrets AS previous FROM accounts
    WHERE id > ${after} AND (substr(webhook_secret, 1, ${prefix.length}) <> ${prefix} OR EXISTS (
      SELECT 1 FROM json_each(previous_webhook_secrets)
      WHERE substr(value ->> 'secret', 1, ${prefix.length}) <> ${prefix})) ORDER BY id`,
  async rewrite(row, reencrypt) {
    const { id, webhook_secret: former, previous } = accountRow.parse(row);
    const context = webhookSecretContext(id);
    const formerOnes = previousSecrets.parse(JSON.parse(previous));
    const rewritten = await Promise.all(
      formerOnes.map(async ({ secret, until }) => ({ secret: await reencrypt(secret, context), until })),
    );
    return sql`
      UPDATE accounts SET webhook_secret = ${await reencrypt(former, context)},
        previous_webhook_secrets = ${JSON.stringify(rewritten)}
      WHERE id = ${id} AND webhook_secret = ${former} AND previous_webhook_secrets = ${previous}`;
  },
};

/** Everything in the database that is encrypted. */
export const secretHolders: readonly SecretHolder[] = [buckets, webhooks];
