import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import { timeOfDay } from "../format/time.ts";
import { connection, isOnline } from "./connection.ts";
import { staleSentence } from "./staleness.ts";

/** Says, on top of the page without moving it, that what it shows is not up to date. */
export function ConnectionNotice() {
  const stale = useStaleSentence();
  const { isReachable, heardAt } = connection.value;
  const lastUpdate = heardAt === null ? "" : ` Last update at ${timeOfDay(heardAt)}.`;
  const sentence = !isOnline.value
    ? `You are offline.${lastUpdate}`
    : !isReachable
      ? `Ferry does not respond; retrying.${lastUpdate}`
      : stale;
  return (
    <div class="connection" role="status">
      {sentence !== null && <p>{sentence}</p>}
    </div>
  );
}

function useStaleSentence(): string | null {
  const cache = useQueryClient().getQueryCache();
  const [sentence, setSentence] = useState<string | null>(null);
  useEffect(() => {
    const look = () =>
      setSentence(staleSentence(cache.findAll({ type: "active" }).map(({ state }) => state)));
    look();
    return cache.subscribe(look);
  }, [cache]);
  return sentence;
}
