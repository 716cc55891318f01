import type { Database } from "./dependencies.ts";

/**
 * A cache per database for the isolate's lifetime, created on first use: ids from one database mean nothing in another.
 */
export function perDatabase<Kept>(make: () => Kept): (database: Database) => Kept {
  const all = new WeakMap<Database, Kept>();
  return (database) => {
    const kept = all.get(database) ?? make();
    all.set(database, kept);
    return kept;
  };
}
