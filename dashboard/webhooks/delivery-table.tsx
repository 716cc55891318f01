import "./delivery-table.css";
import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import { ActionButton } from "../elements/action-button.tsx";
import { announce } from "../elements/announcement.tsx";
import { Moment } from "../elements/moment.tsx";
import { now } from "../format/clock.ts";
import { timeOfDay, wholeTime } from "../format/time.ts";
import { hrefOf } from "../navigation/address.ts";
import { problemSentence } from "../server/problem.ts";
import type { Delivery } from "../server/schemas.ts";
import { useFerry } from "../session/session.tsx";

/** A row for each attempt. `isOfOne`: all belong to the same job or batch, which need not be named. */
export function DeliveryTable({
  deliveries,
  isOfOne,
}: {
  deliveries: readonly Delivery[];
  isOfOne: boolean;
}) {
  return (
    <table class="deliveries">
      <thead>
        <tr>
          <th>Response</th>
          <th>Event</th>
          <th class="col-number">Attempt</th>
          <th>When</th>
          <th>Next attempt</th>
          <th class="col-action">
            <span class="visually-hidden">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} isOfOne={isOfOne} />
        ))}
      </tbody>
    </table>
  );
}

const eventNames: Record<Delivery["type"], string> = {
  job_completed: "Job completed",
  job_failed: "Job failed",
  batch_completed: "Batch completed",
};

function DeliveryRow({ delivery, isOfOne }: { delivery: Delivery; isOfOne: boolean }) {
  const about = isOfOne ? null : aboutOf(delivery);
  const name = eventNames[delivery.type];
  return (
    <tr>
      <td class="col-answer">
        <span class={`badge ${delivery.error === null ? "good" : "bad"}`}>
          {delivery.http_status === null ? "No response" : delivery.http_status}
        </span>
        {delivery.error !== null && delivery.http_status === null && (
          <span class="job-under bad" title={delivery.error}>
            {delivery.error}
          </span>
        )}
      </td>
      <td class="col-event">
        {about === null ? (
          name
        ) : (
          <>
            <a href={hrefOf(about)}>{name}</a>
            <code class="job-under muted">{about.id}</code>
          </>
        )}
      </td>
      <td class="col-number">{delivery.try}</td>
      <td class="col-when">
        <Moment at={delivery.created_at} />
      </td>
      <td class="col-next muted">
        <NextTry delivery={delivery} />
      </td>
      <td class="col-action">
        <Redeliver delivery={delivery} />
      </td>
    </tr>
  );
}

/** When the event is retried; a time in the past belongs to an attempt with a row of its own. */
function NextTry({ delivery: { next_try_at: at, error } }: { delivery: Delivery }) {
  if (at === null) return error === null ? null : <>none</>;
  if (at <= now.value) return null;
  return (
    <time dateTime={new Date(at).toISOString()} title={wholeTime(at)}>
      {timeOfDay(at)}
    </time>
  );
}

function aboutOf({ job_id: jobId, batch_id: batchId }: Delivery) {
  if (jobId !== null) return { view: "job", id: jobId } as const;
  if (batchId !== null) return { view: "batch", id: batchId, status: null, page: 1 } as const;
  return null;
}

function Redeliver({ delivery: { id } }: { delivery: Delivery }) {
  const ferry = useFerry();
  const queryClient = useQueryClient();
  const redeliver = useMutation({
    mutationFn: () =>
      answerTo(ferry.POST("/webhooks/deliveries/{id}/redeliver", { params: { path: { id } } })),
    onSuccess: ({ message }) => announce(message),
    onError: (error) => announce(problemSentence(error), "bad"),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["deliveries"] }),
  });
  return (
    <ActionButton
      look="quiet small"
      icon="retry"
      isBusy={redeliver.isPending}
      onClick={() => redeliver.mutate()}
    >
      Send again
    </ActionButton>
  );
}
