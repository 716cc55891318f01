import type { Dependencies } from "../dependencies.ts";
import { transact } from "../transact.ts";
import { firstIdAt } from "./first-id-at.ts";
import { findOldJobs, jobsAtOnce, trimJobs } from "./trim-jobs.store.ts";
import { trimDeliveries } from "./trim-deliveries.store.ts";
import { type AccountRange, moveOn, readRange } from "./trimming.store.ts";

/** From the end of one pass through all accounts to the start of the next. */
const restMs = 60 * 60 * 1000;

/**
 * One step of trimming what ended before the retention period; none if everything is kept. Looks at a limited number of
 * accounts, jobs and log entries, and deletes in the same transaction that records how far it came: if it dies before,
 * nothing has happened, and of two concurrent ones each record is deleted once. What cannot be deleted yet is looked at
 * again in the next pass. Returns whether the pass continues, so that another sweep is needed.
 */
export async function trimRecords(
  dependencies: Pick<Dependencies, "database" | "clock" | "newToken" | "settings">,
): Promise<{ moreToTrim: boolean }> {
  const { database, clock, newToken, settings } = dependencies;
  if (settings.retentionMs === null) return { moreToTrim: false };
  const now = clock();
  const range = await readRange(database, now);
  if (range === null) return { moreToTrim: false };
  const endedBefore = now - settings.retentionMs;
  const firstIdKept = firstIdAt(endedBefore);
  const found = await findOldJobs(database, range, { endedBefore, firstIdKept });
  const last = found.length === jobsAtOnce ? found.at(-1) : undefined;
  const next = last ?? afterRange(range, firstIdKept);
  await transact(database, [
    ...trimJobs(
      found.filter(({ goes }) => goes),
      { now, token: newToken() },
    ),
    ...trimDeliveries(range, firstIdKept),
    moveOn(next ?? { accountId: "", jobId: "" }, next === null ? now + restMs : now),
  ]);
  return { moreToTrim: next !== null };
}

/** The position after the last of the range's accounts; null after the last of all. */
function afterRange({ lastAccountId, isLast }: AccountRange, firstIdKept: string) {
  return isLast ? null : { accountId: lastAccountId, jobId: firstIdKept };
}
