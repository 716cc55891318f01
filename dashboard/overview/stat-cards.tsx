import "./stat-cards.css";
import { problemSentence } from "../server/problem.ts";
import { Notice } from "../elements/notice.tsx";
import { bytes, count } from "../format/amount.ts";
import { hrefOf } from "../navigation/address.ts";
import type { JobStatus } from "../server/schemas.ts";
import { useStats } from "./use-stats.ts";

/** The account's jobs by status, each linking to the jobs with that status, and what has been stored. */
export function StatCards({ current }: { current: JobStatus | null }) {
  const { data: stats, error } = useStats();
  const card = (label: string, status: JobStatus | null, value: number | undefined) => (
    <li>
      <a
        class={`stat ${status?.toLowerCase() ?? ""}`}
        href={hrefOf({ view: "overview", status, search: "", page: 1 })}
        aria-current={status !== null && status === current ? "true" : undefined}
      >
        <span class="stat-label">{label}</span>
        <span class="stat-value">{value === undefined ? "–" : count(value)}</span>
      </a>
    </li>
  );
  return (
    <>
      {stats === undefined && error !== null && <Notice kind="bad">{problemSentence(error)}</Notice>}
      <ul class="stats" aria-label="Jobs by status">
        {card("All jobs", null, stats?.total_jobs)}
        {card("Pending", "Pending", stats?.pending_jobs)}
        {card("Processing", "Processing", stats?.processing_jobs)}
        {card("Completed", "Completed", stats?.completed_jobs)}
        {card("Failed", "Failed", stats?.failed_jobs)}
        <li>
          <a class="stat" href={hrefOf({ view: "account" })}>
            <span class="stat-label">Total stored</span>
            <span class="stat-value">{stats === undefined ? "–" : bytes(stats.storage_used_bytes)}</span>
          </a>
        </li>
      </ul>
    </>
  );
}
