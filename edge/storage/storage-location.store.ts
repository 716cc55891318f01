import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { flagColumn, jsonColumn } from "../columns.ts";
import type { Dependencies } from "../dependencies.ts";
import { perDatabase } from "../per-database.ts";
import { managedAccountId } from "./storage.table.ts";
import { transact } from "../transact.ts";

/** A custom bucket, as in its row: `secretAccessKey` is encrypted. */
const customLocationSchema = z.object({
  accountId: z.string(),
  endpoint: z.string(),
  bucket: z.string(),
  region: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  forcePathStyle: flagColumn,
});
export type CustomLocation = z.infer<typeof customLocationSchema>;

/** Where files are stored; null is the managed bucket, which the settings describe. */
export type StorageLocation = CustomLocation | null;

/** Parses what `locationJson` has selected. */
export const locationFromJson = jsonColumn(customLocationSchema).nullable();

/** A subquery for the location with this id: its row as JSON, or null for the managed bucket. Reads one row. */
export function locationJson(id: SQL): SQL {
  return sql`(
    SELECT json_object('accountId', location.account_id, 'endpoint', location.endpoint, 'bucket', location.bucket,
      'region', location.region, 'accessKeyId', location.access_key_id,
      'secretAccessKey', location.secret_access_key, 'forcePathStyle', location.force_path_style)
    FROM storage_locations AS location
    WHERE location.id = ${id} AND location.account_id <> ${managedAccountId})`;
}

/** Ids known to be managed buckets, cached for the isolate's lifetime: a row never changes its bucket. */
const managedIds = perDatabase(() => new Set<number>());

/** The location with this id. Reads one row, or none if it is known to be managed. */
export async function findLocation(
  { database }: Pick<Dependencies, "database">,
  id: number,
): Promise<StorageLocation> {
  if (managedIds(database).has(id)) return null;
  const [row] = await database.all<{ location: unknown }>(
    sql`SELECT ${locationJson(sql`${id}`)} AS location`,
  );
  const location = locationFromJson.parse(row?.location);
  if (location === null) managedIds(database).add(id);
  return location;
}

/** Ids of managed buckets by endpoint and bucket. */
const knownIds = perDatabase(() => new Map<string, number>());

/** The id of the managed bucket's row, created on first use. */
export async function managedLocationId(
  dependencies: Pick<Dependencies, "database" | "settings">,
): Promise<number> {
  const { endpoint, bucket } = dependencies.settings.managedStorage;
  const place = `${endpoint}/${bucket}`;
  const ids = knownIds(dependencies.database);
  const known = ids.get(place);
  if (known !== undefined) return known;

  const [, rows] = await transact(dependencies.database, [
    sql`INSERT INTO storage_locations (endpoint, bucket) VALUES (${endpoint}, ${bucket}) ON CONFLICT DO NOTHING`,
    sql`SELECT id FROM storage_locations WHERE account_id = ${managedAccountId}
      AND endpoint = ${endpoint} AND bucket = ${bucket}`,
  ]);
  const [{ id }] = z.tuple([z.object({ id: z.int() })]).parse(rows);
  ids.set(place, id);
  return id;
}
