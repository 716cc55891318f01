import { FerryError } from "../../client/ferry-client.ts";

/** When to refetch, in ms: as usual, or later if the last response was an error that asked for more patience. */
export function refreshInterval(usualMs: number, error: Error | null): number {
  const seconds = error instanceof FerryError ? error.retryAfterSeconds : null;
  return Math.max(usualMs, (seconds ?? 0) * 1000);
}
