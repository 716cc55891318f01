import "./batch-progress.css";
import { count } from "../format/amount.ts";
import type { ListedBatch } from "../server/schemas.ts";

type Counts = Pick<ListedBatch, "total_episodes" | "completed_episodes" | "failed_episodes">;

/** How much of a batch has ended, as a bar and in numbers. `label` names the batch for screen readers. */
export function BatchProgress({ batch, label }: { batch: Counts; label: string }) {
  const { total_episodes: total, completed_episodes: completed, failed_episodes: failed } = batch;
  const ended = completed + failed;
  const percent = total === 0 ? 100 : Math.floor((ended / total) * 100);
  return (
    <div class="batch-progress">
      <div
        class="split-bar"
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span class="good" style={{ flexGrow: completed }} />
        <span class="bad" style={{ flexGrow: failed }} />
        <span style={{ flexGrow: total - ended }} />
      </div>
      <span class="batch-numbers">
        <span>
          {count(ended)} of {count(total)}
        </span>
        {failed > 0 && <span class="bad">{count(failed)} failed</span>}
      </span>
    </div>
  );
}
