import { useState } from "preact/hooks";
import { ActionButton } from "../elements/action-button.tsx";
import { ConfirmDialog } from "../elements/confirm-dialog.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { useJobActions } from "../jobs/use-job-actions.ts";
import type { Job } from "../server/schemas.ts";
import { hasEnded } from "./use-job.ts";

/** Everything that can be done to a job in its current state. */
export function JobActions({ job }: { job: Job }) {
  const { cancel, retry, download } = useJobActions(job.id);
  return (
    <div class="actions">
      {!hasEnded(job) && (
        <ActionButton look="danger" icon="stop" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel job
        </ActionButton>
      )}
      {job.status === "Failed" && (
        <ActionButton
          {...(job.retryable !== false && { look: "primary" })}
          icon="retry"
          isBusy={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Retry
        </ActionButton>
      )}
      {job.storage_url !== undefined && (
        <>
          <ActionButton
            look="primary"
            icon="download"
            isBusy={download.isPending}
            onClick={() => download.mutate()}
          >
            Download
          </ActionButton>
          <CopyButton text={job.storage_url} what="link" />
          <DeleteFile job={job} />
        </>
      )}
    </div>
  );
}

function DeleteFile({ job }: { job: Job }) {
  const { deleteFile } = useJobActions(job.id);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <ActionButton look="danger" icon="trash" isBusy={deleteFile.isPending} onClick={() => setAsking(true)}>
        Delete file
      </ActionButton>
      {isAsking && (
        <ConfirmDialog
          title="Delete this file?"
          action="Delete file"
          onConfirm={() => deleteFile.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            <strong class="long">{job.storage_key}</strong> is removed from storage with its subtitles and
            thumbnail, and cannot be brought back. The job's record stays.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
