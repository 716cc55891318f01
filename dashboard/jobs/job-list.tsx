import "./job-list.css";
import { Empty } from "../elements/empty.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { PageLinks } from "../elements/page-links.tsx";
import { Panel } from "../elements/panel.tsx";
import { type Address, hrefOf } from "../navigation/address.ts";
import { JobFilters } from "./job-filters.tsx";
import { JobTable } from "./job-table.tsx";
import { type JobFilter, pageSize, useJobs } from "./use-jobs.ts";

interface JobListProps {
  readonly title: string;
  readonly filter: JobFilter;
  /** The address of the view that shows this list with another filter. */
  readonly addressOf: (filter: Pick<JobFilter, "status" | "search" | "page">) => Address;
}

/** Jobs, fifty per page, with filters; the choices are part of the page's address. */
export function JobList({ title, filter, addressOf }: JobListProps) {
  const answer = useJobs(filter);
  const { status, search } = filter;
  const isFiltered = status !== null || search !== "";
  return (
    <Panel title={title} class="job-list" aside={<JobFilters filter={filter} addressOf={addressOf} />}>
      <Loaded answer={answer} placeholder={<div class="job-list-placeholder">Loading …</div>}>
        {({ jobs, total, offset }) => (
          <>
            {jobs.length > 0 && <JobTable jobs={jobs} isOld={answer.isPlaceholderData} />}
            {jobs.length === 0 && (
              <NoJobs
                isFiltered={isFiltered}
                isPastEnd={total > 0}
                firstPage={addressOf({ status, search, page: 1 })}
                clear={addressOf({ status: null, search: "", page: 1 })}
              />
            )}
            {total > 0 && (
              <PageLinks
                page={Math.floor(offset / pageSize) + 1}
                pageSize={pageSize}
                total={total}
                what="jobs"
                hrefOfPage={(other) => hrefOf(addressOf({ status, search, page: other }))}
              />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

interface NoJobsProps {
  readonly isFiltered: boolean;
  readonly isPastEnd: boolean;
  readonly firstPage: Address;
  readonly clear: Address;
}

function NoJobs({ isFiltered, isPastEnd, firstPage, clear }: NoJobsProps) {
  if (isPastEnd)
    return (
      <Empty title="The list has no such page.">
        <a class="button" href={hrefOf(firstPage)}>
          Go to the first page
        </a>
      </Empty>
    );
  if (isFiltered)
    return (
      <Empty title="No matching jobs.">
        <a class="button" href={hrefOf(clear)}>
          Show all jobs
        </a>
      </Empty>
    );
  return (
    <Empty title="No jobs yet. Give Ferry the URL of a video, an episode or a podcast show.">
      <a class="button primary" href={hrefOf({ view: "new", kind: "media" })}>
        New job
      </a>
    </Empty>
  );
}
