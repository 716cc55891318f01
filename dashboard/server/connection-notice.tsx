import { timeOfDay } from "../format/time.ts";
import { connection, isOnline } from "./connection.ts";

/** Says over the page, without moving it, that what it shows is not fresh. */
export function ConnectionNotice() {
  const { isReachable, heardAt } = connection.value;
  const isFresh = isOnline.value && isReachable;
  const reason = isOnline.value ? "Ferry does not answer; trying again." : "You are offline.";
  return (
    <div class="connection" role="status">
      {!isFresh && (
        <p>
          {reason} {heardAt !== null && `Last update at ${timeOfDay(heardAt)}.`}
        </p>
      )}
    </div>
  );
}
