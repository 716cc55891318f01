import { Moment } from "../elements/moment.tsx";
import { StatusBadge } from "../elements/status-badge.tsx";
import { bytes } from "../format/amount.ts";
import { duration } from "../format/time.ts";
import { hrefOf } from "../navigation/address.ts";
import type { ListedJob } from "../server/schemas.ts";
import { JobRowAction } from "./job-row-action.tsx";
import { jobTitle } from "./job-title.ts";

/** A row for each job. `isOld`: another page's, shown until this one's have arrived. */
export function JobTable({ jobs, isOld }: { jobs: readonly ListedJob[]; isOld: boolean }) {
  return (
    <table class="jobs" aria-busy={isOld}>
      <thead>
        <tr>
          <th class="col-status">Status</th>
          <th>File or source</th>
          <th class="col-number">Size</th>
          <th class="col-number">Took</th>
          <th class="col-when">Created</th>
          <th class="col-action">
            <span class="visually-hidden">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </tbody>
    </table>
  );
}

function JobRow({ job }: { job: ListedJob }) {
  const title = jobTitle(job);
  return (
    <tr>
      <td class="col-status">
        <StatusBadge status={job.status} />
      </td>
      <td class="col-source">
        <a class="job-link" href={hrefOf({ view: "job", id: job.id })} title={title}>
          {title}
        </a>
        {job.error === null ? (
          <span class="job-under muted" title={job.url}>
            {job.status === "Processing" ? `${job.step} · ${job.url}` : job.url}
          </span>
        ) : (
          <span class="job-under" title={`${job.error} · ${job.url}`}>
            <span class="bad">{job.error}</span> <span class="muted">· {job.url}</span>
          </span>
        )}
      </td>
      <td class="col-number">{job.file_size === null ? "" : bytes(job.file_size)}</td>
      <td class="col-number">{job.finished_at === null ? "" : duration(job.finished_at - job.created_at)}</td>
      <td class="col-when">
        <Moment at={job.created_at} />
      </td>
      <td class="col-action">
        <JobRowAction job={job} title={title} />
      </td>
    </tr>
  );
}
