import type { Sidecar } from "../../../contracts/file-facts.ts";
import type { Report } from "../../../contracts/report.ts";
import { sidecarKey } from "../../../contracts/sidecar-key.ts";
import type { Task } from "../../../contracts/task.ts";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { buildTasks } from "../../../edge/dispatch/build-tasks.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { facts, timings } from "./made-file.ts";

/** The node that `claimAll` claims for. */
export const claimingNode = "test-node";

/** Claims everything that is due, like a node with enough slots. */
export async function claimAll(dependencies: Dependencies): Promise<Task[]> {
  const [rows = []] = await claimJobs(dependencies, [{ nodeId: claimingNode, slots: 100 }]);
  return buildTasks(dependencies, rows);
}

/** Sends the reports of a node that produces a task's file with these sidecars; returns the key it got. */
export async function finishTask(
  dependencies: Dependencies,
  { account_id, job_id, claim }: Task,
  file: { title?: string; bytes?: number; sidecars?: Sidecar[] } = {},
) {
  const subject = { account_id, job_id, claim };
  const { title = "Talk", bytes = facts.file_size, sidecars = [] } = file;
  const report = async (reports: Report[]) => {
    const { results } = await handleReports(dependencies, { node_id: claimingNode, free_slots: 0, reports });
    if (results.some(({ outcome }) => outcome !== "accepted"))
      throw new Error("The reports were not accepted");
    return results[0]?.key;
  };
  const suffixes = sidecars.map(({ language }) => (language === null ? "jpg" : `${language}.vtt`));
  const wish = { title, extension: "mp4", taken: null, sidecars: suffixes };
  const key = await report([{ ...subject, kind: "reserve_key", ...wish }]);
  if (!key) throw new Error("There is no key");
  const beside = sidecars.map((sidecar, index) => ({
    ...sidecar,
    storage_key: sidecarKey(key.storage_key, suffixes[index] ?? ""),
  }));
  await report([
    { ...subject, kind: "publish", facts: { ...facts, file_size: bytes, sidecars: beside } },
    { ...subject, kind: "completed", timings },
  ]);
  return key;
}
