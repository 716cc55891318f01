import { sql } from "drizzle-orm";
import type { Dependencies } from "../dependencies.ts";

/** The id of the managed bucket's row, made on first use. Remembered for the isolate's life: rows never change. */
const knownIds = new Map<string, number>();

export async function managedLocationId(
  dependencies: Pick<Dependencies, "database" | "settings">,
): Promise<number> {
  const { endpoint, bucket } = dependencies.settings.managedStorage;
  const place = `${endpoint}/${bucket}`;
  const known = knownIds.get(place);
  if (known !== undefined) return known;

  const [, rows] = await dependencies.database.batch([
    dependencies.database.run(
      sql`INSERT INTO storage_locations (endpoint, bucket) VALUES (${endpoint}, ${bucket}) ON CONFLICT DO NOTHING`,
    ),
    dependencies.database.all<{ id: number }>(
      sql`SELECT id FROM storage_locations WHERE endpoint = ${endpoint} AND bucket = ${bucket}`,
    ),
  ]);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("The managed storage location could not be recorded");
  knownIds.set(place, id);
  return id;
}
