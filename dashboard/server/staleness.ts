import { FerryError } from "../../client/ferry-client.ts";
import { timeOfDay } from "../format/time.ts";

interface ShownAnswer {
  /** Undefined when there was none yet. */
  readonly data: unknown;
  /** Of the last try. */
  readonly error: Error | null;
  /** In milliseconds since the Unix epoch. */
  readonly dataUpdatedAt: number;
}

/**
 * Says of answers on the page that the service would not give them anew, why, and from when the oldest is. Null when
 * there are none. A part that has no answer at all says so in its own place.
 */
export function staleSentence(shown: readonly ShownAnswer[]): string | null {
  const [oldest] = shown
    .filter(({ data, error }) => data !== undefined && error instanceof FerryError)
    .sort((one, other) => one.dataUpdatedAt - other.dataUpdatedAt);
  if (oldest?.error === undefined || oldest.error === null) return null;
  return `${oldest.error.message}. What is shown is from ${timeOfDay(oldest.dataUpdatedAt)}.`;
}
