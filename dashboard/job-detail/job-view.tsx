import "./job-view.css";
import { Loaded } from "../elements/loaded.tsx";
import { SourceLink } from "../elements/source-link.tsx";
import { StatusBadge } from "../elements/status-badge.tsx";
import { jobTitle } from "../jobs/job-title.ts";
import type { Job } from "../server/schemas.ts";
import { DeliveryPanel } from "../webhooks/delivery-panel.tsx";
import { FailurePanel } from "./failure-panel.tsx";
import { FilePanel } from "./file-panel.tsx";
import { JobActions } from "./job-actions.tsx";
import { JobFacts } from "./job-facts.tsx";
import { JobOptionFacts } from "./job-option-facts.tsx";
import { MediaFacts } from "./media-facts.tsx";
import { ProgressPanel } from "./progress-panel.tsx";
import { TimingsPanel } from "./timings-panel.tsx";
import { hasEnded, useJob } from "./use-job.ts";
import { Heading } from "../elements/heading.tsx";

/** One job: its progress or how it ended, its file, and everything known about it. */
export function JobView({ id }: { id: string }) {
  const answer = useJob(id);
  return (
    <>
      {answer.data === undefined && <Heading text="Job" />}
      <Loaded answer={answer}>{(job) => <JobParts job={job} />}</Loaded>
    </>
  );
}

function JobParts({ job }: { job: Job }) {
  const title = jobTitle({ storage_key: job.storage_key ?? job.options.filename, url: job.url });
  return (
    <>
      <div class="view-head">
        <div class="view-title">
          <Heading text={title} />
          <StatusBadge status={job.status} />
        </div>
        <JobActions job={job} />
        <p class="view-source">
          <SourceLink url={job.url} />
        </p>
      </div>
      {!hasEnded(job) && <ProgressPanel job={job} />}
      {job.error !== undefined && (
        <FailurePanel error={job.error} code={job.error_code} retryable={job.retryable} />
      )}
      {job.status === "Completed" && <FilePanel job={job} />}
      <div class="job-columns">
        {job.timings !== null && <TimingsPanel timings={job.timings} />}
        <JobFacts job={job} />
        {job.media !== null && <MediaFacts media={job.media} />}
        <JobOptionFacts options={job.options} />
      </div>
      {job.options.webhook_url !== null && <DeliveryPanel of={{ job_id: job.id }} />}
    </>
  );
}
