import "./overview.css";
import { BatchList } from "../batches/batch-list.tsx";
import { useBatches } from "../batches/use-batches.ts";
import { Panel } from "../elements/panel.tsx";
import { JobList } from "../jobs/job-list.tsx";
import { type Address, hrefOf } from "../navigation/address.ts";
import { ClusterCounts } from "./cluster-counts.tsx";
import { DailyPanel } from "./daily-panel.tsx";
import { StatCards } from "./stat-cards.tsx";
import { Heading } from "../elements/heading.tsx";

const showsShown = 4;

/** What is running, how the week went, and all jobs. */
export function Overview({ address }: { address: Extract<Address, { view: "overview" }> }) {
  const batches = useBatches();
  const shows = batches.data?.batches ?? [];
  return (
    <>
      <Heading text="Overview" isHidden />
      <StatCards current={address.status} />
      <div class="overview-middle">
        <DailyPanel />
        <ClusterCounts />
      </div>
      <Panel
        title="Shows"
        aside={
          shows.length > showsShown && (
            <a href={hrefOf({ view: "shows" })}>
              All {shows.length === 100 ? "shows" : `${shows.length} shows`}
            </a>
          )
        }
      >
        <BatchList answer={batches} shownMax={showsShown} />
      </Panel>
      <JobList
        title="Jobs"
        filter={{ status: address.status, search: address.search, page: address.page, batchId: null }}
        addressOf={(filter) => ({ view: "overview", ...filter })}
      />
    </>
  );
}
