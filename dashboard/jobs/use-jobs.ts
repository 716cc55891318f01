import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import type { JobStatus } from "../server/schemas.ts";
import { useFerry } from "../session/session.tsx";

export const pageSize = 50;

export interface JobFilter {
  readonly status: JobStatus | null;
  /** A complete job id, or the beginning of a URL; empty for none. */
  readonly search: string;
  readonly batchId: string | null;
  /** From 1. */
  readonly page: number;
}

/** A page of the matching jobs; the previous page stays until the next has arrived. */
export function useJobs({ status, search, batchId, page }: JobFilter) {
  const ferry = useFerry();
  const query = {
    limit: pageSize,
    offset: (page - 1) * pageSize,
    ...(status !== null && { status: lowerCase(status) }),
    ...(search !== "" && { search }),
    ...(batchId !== null && { batch_id: batchId }),
  };
  return useQuery({
    queryKey: ["jobs", query],
    queryFn: ({ signal }) => answerTo(ferry.GET("/jobs", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

function lowerCase<Word extends string>(word: Word): Lowercase<Word> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the language's own function has no such type
  return word.toLowerCase() as Lowercase<Word>;
}
