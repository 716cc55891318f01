import type { Task } from "../../contracts/task.ts";
import type { Dependencies } from "../dependencies.ts";
import { CannotDecrypt } from "../encryption/encrypt.ts";
import { applyChanges } from "../jobs/apply-changes.ts";
import { errorFields } from "../log.ts";
import { openJobStorage } from "../storage/job-storage.ts";
import { buildTask } from "./build-task.ts";
import type { ClaimedRow } from "./claim-jobs.store.ts";

/**
 * Builds the tasks of claimed jobs. A job whose bucket credentials cannot be read fails here without affecting the
 * others.
 */
export async function buildTasks(dependencies: Dependencies, rows: readonly ClaimedRow[]): Promise<Task[]> {
  const { settings, clock } = dependencies;
  const now = clock();
  const tasks: Task[] = [];
  for (const row of rows) {
    try {
      const storage = await openJobStorage(row.location, row, settings);
      tasks.push(buildTask(row, storage, settings, now));
    } catch (error) {
      if (!(error instanceof CannotDecrypt)) throw error;
      await failForStorage(dependencies, row, error);
    }
  }
  return tasks;
}

async function failForStorage(
  dependencies: Dependencies,
  { accountId, jobId, claim }: ClaimedRow,
  error: CannotDecrypt,
): Promise<void> {
  dependencies.log.error("A bucket's secret cannot be read", { job_id: jobId, ...errorFields(error) });
  const event = { type: "fail", claim, code: "storage_error" } as const;
  const failureDetail = "the bucket has to be configured again";
  await applyChanges(dependencies, [{ accountId, jobId, event, failureDetail }]);
}
