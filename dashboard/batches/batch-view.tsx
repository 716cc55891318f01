import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { answerTo } from "../../client/ferry-client.ts";
import { ActionButton } from "../elements/action-button.tsx";
import { announce } from "../elements/announcement.tsx";
import { ConfirmDialog } from "../elements/confirm-dialog.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { FactList } from "../elements/fact-list.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { Panel } from "../elements/panel.tsx";
import { SourceLink } from "../elements/source-link.tsx";
import { StatusBadge } from "../elements/status-badge.tsx";
import { counted } from "../format/amount.ts";
import { JobList } from "../jobs/job-list.tsx";
import type { Address } from "../navigation/address.ts";
import { problemSentence } from "../server/problem.ts";
import type { Batch } from "../server/schemas.ts";
import { useFerry } from "../session/session.tsx";
import { DeliveryPanel } from "../webhooks/delivery-panel.tsx";
import { BatchProgress } from "./batch-progress.tsx";
import { Heading } from "../elements/heading.tsx";

/** One batch: its progress, its jobs, its webhook. */
export function BatchView({ address }: { address: Extract<Address, { view: "batch" }> }) {
  const { id, status, page } = address;
  const ferry = useFerry();
  const answer = useQuery({
    queryKey: ["batch", id],
    queryFn: ({ signal }) => answerTo(ferry.GET("/batch/{id}", { params: { path: { id } }, signal })),
  });
  return (
    <>
      {answer.data === undefined && <Heading text="Batch" />}
      <Loaded answer={answer}>{(batch) => <BatchHead batch={batch} />}</Loaded>
      {answer.data !== undefined && (
        <>
          <JobList
            title={answer.data.show_url === null ? "Jobs" : "Episodes"}
            filter={{ status, search: "", page, batchId: id }}
            addressOf={(filter) => ({ view: "batch", id, status: filter.status, page: filter.page })}
          />
          {answer.data.show_url !== null && <DeliveryPanel of={{ batch_id: id }} />}
        </>
      )}
    </>
  );
}

function BatchHead({ batch }: { batch: Batch }) {
  const title = batch.folder || (batch.show_url === null ? "Several jobs" : batch.show_url);
  return (
    <>
      <div class="view-head">
        <div class="view-title">
          <Heading text={title} />
          <StatusBadge status={batch.status} />
        </div>
        {batch.status === "processing" && <CancelBatch batch={batch} />}
      </div>
      <Panel title="Progress">
        <BatchProgress batch={batch} label="Progress of the batch" />
        <FactList
          facts={[
            ["Show", batch.show_url === null ? null : <SourceLink url={batch.show_url} />],
            ["Folder", batch.folder || null],
            [
              "Batch id",
              <span class="with-copy">
                <code>{batch.id}</code>
                <CopyButton text={batch.id} what="batch id" quiet />
              </span>,
            ],
          ]}
        />
      </Panel>
    </>
  );
}

function CancelBatch({ batch }: { batch: Batch }) {
  const ferry = useFerry();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: () => answerTo(ferry.POST("/batch/{id}/cancel", { params: { path: { id: batch.id } } })),
    onSuccess: ({ message, cancelled }) => announce(`${message}: ${counted(cancelled, "job")}`),
    onError: (error) => announce(problemSentence(error), "bad"),
    onSettled: () => queryClient.invalidateQueries(),
  });
  const unfinished = batch.total_episodes - batch.completed_episodes - batch.failed_episodes;
  return (
    <div class="actions">
      <ActionButton look="danger" icon="stop" isBusy={cancel.isPending} onClick={() => setAsking(true)}>
        {cancel.isPending ? "Cancelling …" : "Cancel batch"}
      </ActionButton>
      {isAsking && (
        <ConfirmDialog
          title="Cancel this batch?"
          action="Cancel batch"
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            {counted(unfinished, "job")} not yet finished will end as failed. Files that are already stored
            stay.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
