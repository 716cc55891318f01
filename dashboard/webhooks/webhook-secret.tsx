import "./webhook-secret.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { answerTo } from "../../client/ferry-client.ts";
import { ActionButton } from "../elements/action-button.tsx";
import { announce } from "../elements/announcement.tsx";
import { ConfirmDialog } from "../elements/confirm-dialog.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { Panel } from "../elements/panel.tsx";
import { wholeTime } from "../format/time.ts";
import { problemSentence } from "../server/problem.ts";
import { useFerry } from "../session/session.tsx";

const queryKey = ["webhook-secret"];

/** The secret for verifying signatures. It is fetched only when the user wants to see it. */
export function WebhookSecret() {
  const [isShown, setShown] = useState(false);
  return (
    <Panel
      title="Signing secret"
      aside={
        <button type="button" class="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide" : "Show"}
        </button>
      }
    >
      <p class="muted panel-text">
        Each delivery is signed by the Standard Webhooks scheme. Check <code>webhook-signature</code> with
        this secret.
      </p>
      {isShown && <ShownSecret />}
    </Panel>
  );
}

function ShownSecret() {
  const ferry = useFerry();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const answer = useQuery({
    queryKey,
    queryFn: ({ signal }) => answerTo(ferry.GET("/user/webhook-secret", { signal })),
    refetchInterval: false,
    gcTime: 0,
  });
  const rotate = useMutation({
    mutationFn: () => answerTo(ferry.POST("/user/webhook-secret/rotate")),
    onSuccess: ({ secret, previous_valid_until: until }) => {
      queryClient.setQueryData(queryKey, { secret });
      announce(`New secret. The previous one also signs until ${wholeTime(until)}.`);
    },
    onError: (error) => announce(problemSentence(error), "bad"),
  });
  return (
    <Loaded answer={answer}>
      {({ secret }) => (
        <div class="secret">
          <code class="long">{secret}</code>
          <div class="actions">
            <CopyButton text={secret} what="secret" />
            <ActionButton isBusy={rotate.isPending} onClick={() => setAsking(true)}>
              Replace
            </ActionButton>
          </div>
          {isAsking && (
            <ConfirmDialog
              title="Replace the signing secret?"
              action="Replace secret"
              onConfirm={() => rotate.mutate()}
              onClose={() => setAsking(false)}
            >
              <p>
                Deliveries are signed with both secrets for 24 hours. Update your receivers within that time.
              </p>
            </ConfirmDialog>
          )}
        </div>
      )}
    </Loaded>
  );
}
