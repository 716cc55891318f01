import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { managedAccountId } from "./storage.table.ts";
import { transact } from "../transact.ts";

/** The id of the managed bucket's row, made on first use. Remembered for the isolate's life: rows never change. */
const knownIds = new Map<string, number>();

export async function managedLocationId(
  dependencies: Pick<Dependencies, "database" | "settings">,
): Promise<number> {
  const { endpoint, bucket } = dependencies.settings.managedStorage;
  const place = `${endpoint}/${bucket}`;
  const known = knownIds.get(place);
  if (known !== undefined) return known;

  const [, rows] = await transact(dependencies.database, [
    sql`INSERT INTO storage_locations (endpoint, bucket) VALUES (${endpoint}, ${bucket}) ON CONFLICT DO NOTHING`,
    sql`SELECT id FROM storage_locations WHERE account_id = ${managedAccountId}
      AND endpoint = ${endpoint} AND bucket = ${bucket}`,
  ]);
  const [{ id }] = z.tuple([z.object({ id: z.int() })]).parse(rows);
  knownIds.set(place, id);
  return id;
}
