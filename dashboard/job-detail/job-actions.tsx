import { useState } from "preact/hooks";
import { ConfirmDialog } from "../elements/confirm-dialog.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useJobActions } from "../jobs/use-job-actions.ts";
import type { Job } from "../server/schemas.ts";
import { hasEnded } from "./use-job.ts";

/** Everything that can be done to a job in its present state. */
export function JobActions({ job }: { job: Job }) {
  const { cancel, retry, download } = useJobActions(job.id);
  return (
    <div class="actions">
      {!hasEnded(job) && (
        <button
          type="button"
          class="button danger"
          disabled={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          <Icon name="stop" />
          Cancel job
        </button>
      )}
      {job.status === "Failed" && (
        <button
          type="button"
          class={job.retryable === false ? "button" : "button primary"}
          disabled={retry.isPending}
          onClick={() => retry.mutate()}
        >
          <Icon name="retry" />
          Retry
        </button>
      )}
      {job.storage_url !== undefined && (
        <>
          <button
            type="button"
            class="button primary"
            disabled={download.isPending}
            onClick={() => download.mutate()}
          >
            <Icon name="download" />
            Download
          </button>
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
      <button
        type="button"
        class="button danger"
        disabled={deleteFile.isPending}
        onClick={() => setAsking(true)}
      >
        <Icon name="trash" />
        Delete file
      </button>
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
