import { sql } from "drizzle-orm";
import type { Dependencies } from "../dependencies.ts";

/** Records how many slots all live nodes have, free or taken, for those who claim. Writes only what has changed. */
export async function writeLiveSlots(
  { database }: Pick<Dependencies, "database">,
  slots: number,
): Promise<void> {
  await database.run(sql`UPDATE line SET slots = ${slots} WHERE slots <> ${slots}`);
}
