import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Gives a job a folder of its own within `workFolder`, and takes it away with everything in it, whatever happens:
 * the work must have ended all its programs when it settles.
 */
export async function withJobFolder<Result>(
  workFolder: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(workFolder, "job-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
