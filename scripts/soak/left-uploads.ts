import { setTimeout as sleep } from "node:timers/promises";
import type { StorageServer } from "../storage/storage-server.ts";
import type { Finding } from "../audit/findings.ts";

const intervalMs = 500;

/**
 * The uploads still open when every job has ended; waits up to `patienceMs` for the sweep to abort them. An upload
 * without parts belongs to nobody: its node died before it could report it, and the bucket's own rule aborts it.
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
