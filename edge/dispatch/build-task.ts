import type { Task } from "../../contracts/task.ts";
import type { Settings } from "../settings.ts";
import type { JobStorage } from "../storage/job-storage.ts";
import type { ClaimedRow } from "./claim-jobs.store.ts";

/** What the node is told about a claimed job. Pure; `now` is the edge's clock. */
export function buildTask(
  row: ClaimedRow,
  { access, objectKey }: JobStorage,
  { limits }: Pick<Settings, "limits">,
  now: number,
): Task {
  const { accountId, jobId, storageKey } = row;
  return {
    account_id: accountId,
    job_id: jobId,
    claim: row.claim,
    url: row.url,
    options: row.options,
    storage: access,
    limits: {
      source_file_bytes: limits.sourceFileBytes,
      source_silence_ms: limits.sourceSilenceMs,
      time_left_ms: row.startedAt + limits.jobTimeMs - now,
    },
    earlier:
      storageKey === null
        ? null
        : {
            storage_key: storageKey,
            object_key: objectKey(storageKey),
            upload_id: row.uploadId,
            facts: row.facts,
          },
  };
}
