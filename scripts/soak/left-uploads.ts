import { setTimeout as sleep } from "node:timers/promises";
import type { StorageServer } from "../storage/storage-server.ts";
import type { Finding } from "../audit/findings.ts";

const intervalMs = 500;

/**
 * The uploads that are open still when every job has ended; waits for up to `patienceMs` for the sweep to abort them.
 * One without a part is nobody's: its node died before it could tell of it, and the bucket's own rule ends it.
 */
export async function auditUploads(
  storage: Pick<StorageServer, "openUploads">,
  patienceMs: number,
): Promise<Finding> {
  const until = performance.now() + patienceMs;
  const left = () => storage.openUploads().filter(({ parts }) => parts > 0);
  while (left().length > 0 && performance.now() < until) await sleep(intervalMs);
  return {
    name: "uploads",
    sentence: "No upload outlives its job",
    rows: left().map(({ path, parts }) => ({ accountId: "", subject: path, detail: `${parts} parts` })),
    hasMore: false,
  };
}
