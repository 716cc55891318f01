import type { Dependencies } from "../dependencies.ts";
import { transact } from "../transact.ts";
import { firstIdAt } from "./first-id-at.ts";
import { findOldJobs, jobsAtOnce, trimJobs } from "./trim-jobs.store.ts";
import { trimDeliveries } from "./trim-deliveries.store.ts";
import { type AccountRange, moveOn, readRange } from "./trimming.store.ts";

/** Between the end of one walk through all accounts and the beginning of the next. */
const restMs = 60 * 60 * 1000;

/**
 * A step in the trimming of what ended longer ago than the deployment keeps it; none where it keeps everything. Looks at
 * a bounded number of accounts, jobs and log entries, and deletes in one transaction with the note of how far it came:
 * who dies before it has done nothing, and two at once take each record once. What cannot go yet is looked at again by
 * the next walk. Answers whether the walk goes on, so that the next sweep is needed.
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

/** Behind the last of the range's accounts; null behind the last of all. */
function afterRange({ lastAccountId, isLast }: AccountRange, firstIdKept: string) {
  return isLast ? null : { accountId: lastAccountId, jobId: firstIdKept };
}
