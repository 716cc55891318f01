import { sql } from "drizzle-orm";
import type { StorageAccess } from "../../contracts/storage-location.ts";
import type { Dependencies } from "../dependencies.ts";
import { encrypt } from "../encryption/encrypt.ts";
import { bucketSecretContext } from "../encryption/secret-contexts.ts";
import { transact } from "../transact.ts";
import { retireLocation } from "./erase-credentials.store.ts";
import { locationFromJson, locationJson, type StorageLocation } from "./storage-location.store.ts";

/** The bucket for the account's new jobs; null: the managed one. Reads two rows. */
export async function findBucket(
  { database }: Pick<Dependencies, "database">,
  accountId: string,
): Promise<StorageLocation> {
  const [row] = await database.all<{ location: unknown }>(sql`
    SELECT ${locationJson(sql`storage_location_id`)} AS location FROM accounts WHERE id = ${accountId}`);
  return locationFromJson.parse(row?.location);
}

/**
 * Makes this the bucket for the account's new jobs. If the account has used it before, it gets the new credentials,
 * which from then on also serve the old files in it.
 */
export async function useBucket(
  { database, settings, clock }: Pick<Dependencies, "database" | "settings" | "clock">,
  accountId: string,
  access: StorageAccess,
): Promise<void> {
  const { endpoint, bucket, region } = access;
  const secret = await encrypt(
    settings.encryptionKeys,
    access.secret_access_key,
    bucketSecretContext({ accountId, endpoint, bucket }),
  );
  await transact(database, [
    retireLocation(accountId, clock()),
    sql`
      INSERT INTO storage_locations (account_id, endpoint, bucket, region, access_key_id, secret_access_key,
        force_path_style)
      VALUES (${accountId}, ${endpoint}, ${bucket}, ${region}, ${access.access_key_id}, ${secret},
        ${access.force_path_style ? 1 : 0})
      ON CONFLICT (account_id, endpoint, bucket) DO UPDATE SET region = excluded.region,
        access_key_id = excluded.access_key_id, secret_access_key = excluded.secret_access_key,
        force_path_style = excluded.force_path_style, check_at = NULL`,
    sql`
      UPDATE accounts SET storage_location_id = (
        SELECT id FROM storage_locations
        WHERE account_id = ${accountId} AND endpoint = ${endpoint} AND bucket = ${bucket})
      WHERE id = ${accountId}`,
  ]);
}

/** New jobs use the managed bucket again. The previous configuration is kept for as long as jobs need it. */
export async function leaveBucket(
  { database, clock }: Pick<Dependencies, "database" | "clock">,
  accountId: string,
): Promise<void> {
  await transact(database, [
    retireLocation(accountId, clock()),
    sql`UPDATE accounts SET storage_location_id = NULL WHERE id = ${accountId}`,
  ]);
}
