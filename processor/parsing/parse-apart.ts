import { createParserPool } from "./parser-pool.ts";

/** The node's threads for parsing. Their heaps are many times what the longest texts of their kind take. */
const pool = createParserPool({
  short: { threads: 2, heapMb: 256, deadlineMs: 10_000 },
  long: { threads: 1, heapMb: 1024, deadlineMs: 180_000 },
});

/** Parses a text of a stranger in a thread of its own; see `ParserPool`. */
export const parseApart = pool.parse;
export const warmUpParsers = pool.warmUp;
