import { readdir, readlink } from "node:fs/promises";

/**
 * Ends every process whose working directory is in `folder`: a node that was killed could not end its programs, which
 * have process groups of their own. Needs /proc; without it, it finds none.
 */
export async function endLeftoverPrograms(folder: string): Promise<void> {
  for (const { pid } of await programsIn(folder)) kill(pid);
}

/** The processes whose working directory is in `folder`, or in a deleted folder inside it. */
export async function programsIn(folder: string): Promise<{ pid: number; cwd: string }[]> {
  const workers = await Promise.all(
    (await processIds()).map(async (pid) => ({ pid, cwd: (await cwdOf(pid)) ?? "" })),
  );
  return workers.filter(({ cwd }) => cwd.startsWith(`${folder}/`));
}

async function processIds(): Promise<number[]> {
  try {
    return (await readdir("/proc")).map(Number).filter(Number.isInteger);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Null for a process that is gone, or not ours to inspect. */
async function cwdOf(pid: number): Promise<string | null> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH");
}
