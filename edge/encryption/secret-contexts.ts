import type { EncryptionContext } from "./encrypt.ts";

/** A bucket's secret can be decrypted for this account and this bucket alone. */
export function bucketSecretContext(bucket: {
  readonly accountId: string;
  readonly endpoint: string;
  readonly bucket: string;
}): EncryptionContext {
  return ["storage location", bucket.accountId, bucket.endpoint, bucket.bucket];
}

/** What signs an account's webhooks, now or formerly, can be decrypted for this account alone. */
export function webhookSecretContext(accountId: string): EncryptionContext {
  return ["webhook_secret", accountId];
}
