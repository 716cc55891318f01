import { rm, stat } from "node:fs/promises";
import type { DiskAccount } from "./disk-budget.ts";

const lookEveryMs = 100;

/**
 * Charges a file that a program writes to the job's disk account while `work` runs. Aborts `work` when there is no disk
 * space left for it. If `work` fails, the file is deleted. Rejects as `work` and `takeNow` do.
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

  // The only possible error is a refusal: it ends the work, which then rejects with it.
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
