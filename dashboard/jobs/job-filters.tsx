import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../elements/icon.tsx";
import { type Address, hrefOf, jobStatuses } from "../navigation/address.ts";
import { replaceAddress } from "../navigation/current-address.ts";
import type { JobFilter } from "./use-jobs.ts";

const typingPauseMs = 300;

interface JobFiltersProps {
  readonly filter: JobFilter;
  readonly addressOf: (filter: Pick<JobFilter, "status" | "search" | "page">) => Address;
}

/** Filters by status and, for the list of all jobs, by search. */
export function JobFilters({ filter: { status, search, batchId }, addressOf }: JobFiltersProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<number | null>(null);
  useEffect(() => () => cancelSearch(), []);
  // The address may change while the field is shown, by going back. What is being typed stays.
  useEffect(() => {
    const field = input.current;
    if (field !== null && document.activeElement !== field) field.value = search;
  }, [search]);

  const searchFor = (text: string) => replaceAddress(addressOf({ status, search: text.trim(), page: 1 }));
  function cancelSearch(): void {
    if (timer.current !== null) clearTimeout(timer.current);
  }
  function searchAfterPause(text: string): void {
    cancelSearch();
    timer.current = window.setTimeout(() => searchFor(text), typingPauseMs);
  }

  return (
    <div class="filters">
      <nav class="segments" aria-label="Filter by status">
        {[null, ...jobStatuses].map((one) => (
          <a
            key={one}
            href={hrefOf(addressOf({ status: one, search, page: 1 }))}
            aria-current={one === status ? "true" : undefined}
          >
            {one ?? "All"}
          </a>
        ))}
      </nav>
      {batchId === null && (
        <label class="search">
          <span class="visually-hidden">Search by job id or beginning of the URL</span>
          <Icon name="search" />
          <input
            ref={input}
            type="search"
            defaultValue={search}
            placeholder="Job id or beginning of URL"
            spellcheck={false}
            onInput={(event) => searchAfterPause(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Enter" && searchFor(event.currentTarget.value)}
          />
        </label>
      )}
    </div>
  );
}
