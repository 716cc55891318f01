import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { programsIn } from "../../processor/subprocess/leftover-programs.ts";
import type { Finding } from "../audit/findings.ts";

const intervalMs = 500;

/**
 * What idle nodes still have of jobs: their folders, and programs working in them. `workFolders`: those of the nodes.
 * Waits up to `patienceMs` for what is about to disappear.
 */
export async function auditWorkFolders(workFolders: readonly string[], patienceMs: number): Promise<Finding> {
  const until = performance.now() + patienceMs;
  let left = await leftWork(workFolders);
  while (left.length > 0 && performance.now() < until) {
    await sleep(intervalMs);
    left = await leftWork(workFolders);
  }
  return {
    name: "work",
    sentence: "No work folder and no program outlives its job",
    rows: left.map((what) => ({ accountId: "", ...what })),
    hasMore: false,
  };
}

interface LeftWork {
  readonly subject: string;
  readonly detail: string;
}

async function leftWork(workFolders: readonly string[]): Promise<LeftWork[]> {
  const all = await Promise.all(
    workFolders.map(async (workFolder) => {
      const entries = await readdir(workFolder, { withFileTypes: true });
      const folders = entries.filter((entry) => entry.isDirectory());
      const programs = await programsIn(workFolder);
      return [
        ...folders.map(({ name }) => ({ subject: join(workFolder, name), detail: "a job's folder" })),
        ...programs.map(({ pid, cwd }) => ({ subject: cwd, detail: `process ${pid} works there` })),
      ];
    }),
  );
  return all.flat();
}
