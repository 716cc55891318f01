import { useQuery } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import type { Job } from "../server/schemas.ts";
import { useFerry } from "../session/session.tsx";

const unfinishedRefreshMs = 2000;

export function hasEnded(job: Pick<Job, "status">): boolean {
  return job.status === "Completed" || job.status === "Failed";
}

/** A job, followed until it has ended. */
export function useJob(id: string) {
  const ferry = useFerry();
  return useQuery({
    queryKey: ["job", id],
    queryFn: ({ signal }) => answerTo(ferry.GET("/jobs/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) =>
      state.data !== undefined && hasEnded(state.data) ? false : unfinishedRefreshMs,
  });
}
