import { timeAgo, wholeTime } from "../format/time.ts";
import { now } from "../format/clock.ts";

/** A point in time: how long ago, and the exact time on hover. `at` is in milliseconds since the Unix epoch. */
export function Moment({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={wholeTime(at)}>
      {timeAgo(at, now.value)}
    </time>
  );
}
