import { CopyButton } from "../elements/copy-button.tsx";
import { FactList } from "../elements/fact-list.tsx";
import { Panel } from "../elements/panel.tsx";
import { wholeTime } from "../format/time.ts";
import { hrefOf } from "../navigation/address.ts";
import type { Job } from "../server/schemas.ts";

const atTime = (at: number | null) => (at === null ? null : wholeTime(at));

/** Where it came from, and when. */
export function JobFacts({ job }: { job: Job }) {
  return (
    <Panel title="Job">
      <FactList
        facts={[
          [
            "Id",
            <span class="with-copy">
              <code>{job.id}</code>
              <CopyButton text={job.id} what="job id" quiet />
            </span>,
          ],
          [
            "Batch",
            job.batch_id === null ? null : (
              <a href={hrefOf({ view: "batch", id: job.batch_id, status: null, page: 1 })}>
                The batch it belongs to
              </a>
            ),
          ],
          ["Created", atTime(job.created_at)],
          ["Started", atTime(job.started_at)],
          ["Ended", atTime(job.finished_at)],
          ["Attempt", job.attempt > 1 ? `${job.attempt}, after lost machines` : null],
        ]}
      />
    </Panel>
  );
}
