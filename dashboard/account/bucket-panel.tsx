import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { answerTo } from "../../client/ferry-client.ts";
import { ActionButton } from "../elements/action-button.tsx";
import { announce } from "../elements/announcement.tsx";
import { ConfirmDialog } from "../elements/confirm-dialog.tsx";
import { FactList } from "../elements/fact-list.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { Panel } from "../elements/panel.tsx";
import { problemSentence } from "../server/problem.ts";
import { useFerry } from "../session/session.tsx";
import { BucketForm } from "./bucket-form.tsx";

const queryKey = ["bucket"];

/** Where files go: managed storage, or the account's own bucket. */
export function BucketPanel() {
  const ferry = useFerry();
  const [isEditing, setEditing] = useState(false);
  const answer = useQuery({
    queryKey,
    queryFn: ({ signal }) => answerTo(ferry.GET("/user/bucket", { signal })),
  });
  const bucket = answer.data?.bucket ?? null;
  return (
    <Panel
      title="Storage"
      aside={
        answer.data !== undefined &&
        !isEditing && (
          <span class="actions">
            <button type="button" class="button" onClick={() => setEditing(true)}>
              {bucket === null ? "Use your own bucket" : "Change"}
            </button>
            {bucket !== null && <UseManagedStorage />}
          </span>
        )
      }
    >
      <Loaded answer={answer}>
        {() =>
          bucket === null ? (
            <p class="panel-text">Files go to managed storage.</p>
          ) : (
            <FactList
              facts={[
                ["Endpoint", <span class="long">{bucket.endpoint}</span>],
                ["Bucket", bucket.bucket],
                ["Region", bucket.region],
                ["Addressed", bucket.force_path_style ? "by path" : "by host name"],
              ]}
            />
          )
        }
      </Loaded>
      {isEditing && <BucketForm current={bucket} onClose={() => setEditing(false)} />}
    </Panel>
  );
}

function UseManagedStorage() {
  const ferry = useFerry();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => answerTo(ferry.DELETE("/user/bucket")),
    onSuccess: ({ message }) => announce(message),
    onError: (error) => announce(problemSentence(error), "bad"),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  return (
    <>
      <ActionButton look="danger" isBusy={reset.isPending} onClick={() => setAsking(true)}>
        Remove
      </ActionButton>
      {isAsking && (
        <ConfirmDialog
          title="Go back to managed storage?"
          action="Remove bucket"
          onConfirm={() => reset.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            New files go to managed storage. Those already in the bucket stay there, and their links keep
            working.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
