import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Gives a job its own folder inside `workFolder` and always removes it with all its content. The programs started by
 * `work` must have ended when it settles.
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
