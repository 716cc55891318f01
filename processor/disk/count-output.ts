import { rm, stat } from "node:fs/promises";
import type { DiskAccount } from "./disk-budget.ts";

const lookEveryMs = 100;

/**
 * Counts the file that a program writes while `work` runs, which is aborted when there is no disk left for it. Where
 * the work comes to nothing, nothing of the file is left. Rejects as `work` and `takeNow` do.
 */
export async function countOutput(
  path: string,
  disk: DiskAccount,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const full = new AbortController();
  let counted = 0;

  async function count(): Promise<void> {
    const written = await stat(path, { throwIfNoEntry: false });
    if (written === undefined || written.size <= counted) return;
    disk.takeNow(written.size - counted);
    counted = written.size;
  }

  // Only a refusal comes here: it ends the work, which then rejects with it.
  const timer = setInterval(() => void count().catch((error: unknown) => full.abort(error)), lookEveryMs);
  try {
    await work(AbortSignal.any([signal, full.signal]));
    clearInterval(timer);
    await count();
  } catch (error) {
    clearInterval(timer);
    await rm(path, { force: true });
    disk.give(counted);
    throw error;
  }
}
