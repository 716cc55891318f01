import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import { answerTo, followJob } from "../../client/ferry-client.ts";
import { refreshMs } from "../server/query-client.ts";
import { refreshInterval } from "../server/refresh-interval.ts";
import type { Job } from "../server/schemas.ts";
import { isVisible } from "../server/visibility.ts";
import { useFerry } from "../session/session.tsx";

const pollMs = 2000;

export function hasEnded(job: Pick<Job, "status">): boolean {
  return job.status === "Completed" || job.status === "Failed";
}

/**
 * A job, followed until it has ended: through its events, which pause while the tab is hidden, or if these are
 * unavailable because of a proxy or the network, by polling.
 */
export function useJob(id: string) {
  const ferry = useFerry();
  const queryClient = useQueryClient();
  const [canFollow, setCanFollow] = useState(true);
  const answer = useQuery({
    queryKey: ["job", id],
    queryFn: ({ signal }) => answerTo(ferry.GET("/jobs/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data, error } }) => {
      // An ended job may still lose its file, and its link expires.
      if (data === undefined || hasEnded(data)) return refreshInterval(refreshMs, error);
      return canFollow ? false : refreshInterval(pollMs, error);
    },
  });

  const isFollowed = canFollow && isVisible.value && answer.data !== undefined && !hasEnded(answer.data);
  useEffect(() => {
    if (!isFollowed) return;
    const leaving = new AbortController();
    async function follow(): Promise<void> {
      try {
        for await (const job of followJob(ferry, id, leaving)) queryClient.setQueryData(["job", id], job);
      } catch {
        // Whatever it was, the next request either succeeds or says so.
        if (!leaving.signal.aborted) setCanFollow(false);
      }
    }
    void follow();
    return () => leaving.abort();
  }, [isFollowed, ferry, id, queryClient]);

  return answer;
}
