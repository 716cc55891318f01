import { MutationCache, QueryCache, QueryClient } from "@tanstack/preact-query";
import { FerryError } from "../../client/ferry-client.ts";
import { forgetApiKey } from "../session/api-key.ts";
import { heardFrom, notHeardFrom } from "./connection.ts";
import { refreshInterval } from "./refresh-interval.ts";

/** How often everything on the page is refetched while the page is visible. */
export const refreshMs = 10_000;
/** The same for the cluster's counts. */
export const clusterRefreshMs = 1000;

/**
 * A cache of the service's responses that keeps what is on the page up to date. It pauses while the tab is hidden or
 * the browser is offline, and refetches immediately afterwards. The next refresh is the retry of a failed one.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noteFailure, onSuccess: () => heardFrom(Date.now()) }),
    mutationCache: new MutationCache({ onError: noteFailure, onSuccess: () => heardFrom(Date.now()) }),
    defaultOptions: {
      queries: { retry: false, refetchInterval: ({ state }) => refreshInterval(refreshMs, state.error) },
    },
  });
}

function noteFailure(error: Error): void {
  if (!(error instanceof FerryError)) notHeardFrom();
  else if (error.status === 401) forgetApiKey(error.message);
  else heardFrom(Date.now());
}
