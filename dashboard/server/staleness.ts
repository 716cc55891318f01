import { FerryError } from "../../client/ferry-client.ts";
import { timeOfDay } from "../format/time.ts";

interface ShownAnswer {
  /** Undefined if there was none yet. */
  readonly data: unknown;
  /** Of the last attempt. */
  readonly error: Error | null;
  /** In milliseconds since the Unix epoch. */
  readonly dataUpdatedAt: number;
}

/**
 * Says why responses on the page could not be refetched, and how old the oldest is. Null if there are none. A part
 * without any response says so itself.
 */
export function staleSentence(shown: readonly ShownAnswer[]): string | null {
  const [oldest] = shown
    .filter(({ data, error }) => data !== undefined && error instanceof FerryError)
    .sort((one, other) => one.dataUpdatedAt - other.dataUpdatedAt);
  if (oldest?.error === undefined || oldest.error === null) return null;
  return `${oldest.error.message}. Last update at ${timeOfDay(oldest.dataUpdatedAt)}.`;
}
