import "./batch-list.css";
import { Empty } from "../elements/empty.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { StatusBadge } from "../elements/status-badge.tsx";
import { hrefOf } from "../navigation/address.ts";
import type { ListedBatch } from "../server/schemas.ts";
import { BatchProgress } from "./batch-progress.tsx";
import type { useBatches } from "./use-batches.ts";

interface BatchListProps {
  readonly answer: ReturnType<typeof useBatches>;
  /** Maximum number to show; all if missing. */
  readonly shownMax?: number;
}

/** Shows, each with its progress; running ones come first. */
export function BatchList({ answer, shownMax }: BatchListProps) {
  return (
    <Loaded answer={answer}>
      {({ batches }) =>
        batches.length === 0 ? (
          <Empty title="No shows yet. A podcast feed becomes one job per episode.">
            <a class="button" href={hrefOf({ view: "new", kind: "show" })}>
              New show
            </a>
          </Empty>
        ) : (
          <ul class="batches">
            {inWorkFirst(batches)
              .slice(0, shownMax)
              .map((batch) => (
                <BatchRow key={batch.id} batch={batch} />
              ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function inWorkFirst(batches: readonly ListedBatch[]): ListedBatch[] {
  const isInWork = (batch: ListedBatch) => batch.status === "processing";
  return [...batches.filter(isInWork), ...batches.filter((batch) => !isInWork(batch))];
}

function BatchRow({ batch }: { batch: ListedBatch }) {
  const title = batch.folder || batch.show_url || batch.id;
  return (
    <li>
      <StatusBadge status={batch.status} />
      <div class="batch-name">
        <a class="job-link" href={hrefOf({ view: "batch", id: batch.id, status: null, page: 1 })}>
          {title}
        </a>
        <span class="job-under muted" title={batch.show_url ?? undefined}>
          {batch.show_url}
        </span>
      </div>
      <BatchProgress batch={batch} label={`Progress of ${title}`} />
    </li>
  );
}
