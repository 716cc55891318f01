import type { Database } from "./dependencies.ts";

/** Something remembered of each database for the isolate's life, made when first asked for: ids of one mean nothing in another. */
export function perDatabase<Kept>(make: () => Kept): (database: Database) => Kept {
  const all = new WeakMap<Database, Kept>();
  return (database) => {
    const kept = all.get(database) ?? make();
    all.set(database, kept);
    return kept;
  };
}
