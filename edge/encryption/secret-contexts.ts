import type { EncryptionContext } from "./encrypt.ts";

/** A bucket's secret can be decrypted only for this account and this bucket. */
export function bucketSecretContext(bucket: {
  readonly accountId: string;
  readonly endpoint: string;
  readonly bucket: string;
}): EncryptionContext {
  return ["storage location", bucket.accountId, bucket.endpoint, bucket.bucket];
}

/** The secrets that sign an account's webhooks, current or previous, can be decrypted only for this account. */
export function webhookSecretContext(accountId: string): EncryptionContext {
  return ["webhook_secret", accountId];
}
