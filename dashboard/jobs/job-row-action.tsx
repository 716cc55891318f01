import { ActionButton } from "../elements/action-button.tsx";
import type { IconName } from "../elements/icon.tsx";
import type { ListedJob } from "../server/schemas.ts";
import { useJobActions } from "./use-job-actions.ts";

/** The most useful action for a job in this state, if there is one. */
export function JobRowAction({ job, title }: { job: ListedJob; title: string }) {
  const { cancel, retry, download } = useJobActions(job.id);
  if (job.status === "Failed") return <RowButton name="Retry" icon="retry" of={title} action={retry} />;
  if (job.status !== "Completed") return <RowButton name="Cancel" icon="stop" of={title} action={cancel} />;
  if (job.storage_key === null) return null;
  return <RowButton name="Download" icon="download" of={title} action={download} />;
}

interface RowButtonProps {
  readonly name: string;
  readonly icon: IconName;
  /** The job's title. */
  readonly of: string;
  readonly action: { readonly isPending: boolean; readonly mutate: () => void };
}

function RowButton({ name, icon, of, action }: RowButtonProps) {
  return (
    <ActionButton
      look="quiet icon-only"
      icon={icon}
      label={{ name, of }}
      isBusy={action.isPending}
      onClick={() => action.mutate()}
    />
  );
}
