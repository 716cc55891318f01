import type { Task } from "../../contracts/task.ts";
import type { Settings } from "../settings.ts";
import { managedObjectKey } from "../storage/object-key.ts";
import type { ClaimedRow } from "./claim-jobs.store.ts";

/** What the node is told of a claimed job. Pure; `now` is the edge's clock. */
export function buildTask(row: ClaimedRow, settings: Settings, now: number): Task {
  const { accountId, jobId, storageKey } = row;
  return {
    account_id: accountId,
    job_id: jobId,
    claim: row.claim,
    url: row.url,
    options: row.options,
    storage: settings.managedStorage,
    limits: {
      source_file_bytes: settings.limits.sourceFileBytes,
      source_silence_ms: settings.limits.sourceSilenceMs,
      time_left_ms: row.startedAt + settings.limits.jobTimeMs - now,
    },
    earlier:
      storageKey === null
        ? null
        : {
            storage_key: storageKey,
            object_key: managedObjectKey(accountId, jobId, storageKey),
            upload_id: row.uploadId,
            facts: row.facts,
          },
  };
}
