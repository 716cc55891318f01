import { isEnded } from "../../contracts/job-lifecycle.ts";
import { isLaterStep } from "../../contracts/job-status.ts";
import type { Progress } from "../../contracts/heartbeat.ts";
import type { JobNews, ToldOfJob } from "../cluster/job-news.ts";
import type { JobWatch } from "../cluster/watch-job.ts";
import type { JobRow } from "./find-job.store.ts";

/** A job as it is at some time: its row, with the step that its node has told of since. */
export interface FollowedJob {
  /** `<claim>.<sequence>`: of the claim, and of the heartbeat that told of it, 0 where the row alone does. */
  readonly id: string;
  readonly row: JobRow;
  readonly progress: Progress | null;
}

/** What is known of a job: its row, and what the node that may hold it said last. */
export interface SeenJob {
  readonly row: JobRow;
  readonly told: ToldOfJob | null;
}

/** What following a job needs from outside itself. */
export interface Follower {
  /** The job as it is now; null when the account may not see it any more. */
  readonly look: () => Promise<SeenJob | null>;
  /** Subscribes to the job's news; null when that cannot be now. */
  readonly watch: () => Promise<JobWatch | null>;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The row is looked at this often, whatever the news: they can be lost. */
export const lookEveryMs = 10_000;
/** News make it be looked at before, but not more often than this. */
const lookAgainMs = 250;
/** After this long without a change a sign of life is due. */
export const silenceMaxMs = 15_000;
/** Who wants to know more asks again. */
export const followedForMs = 15 * 60_000;

/**
 * Tells a job as it is now, then each change, to its end; null is a sign of life. Ends with the job, after 15 minutes,
 * when the account may not see the job any more, and when `signal` aborts. Progress whose id is `knownId` has been told
 * before. A broken subscription is renewed at the next look. Rejects where a look does.
 */
export async function* followJob(
  first: SeenJob,
  knownId: string | null,
  { look, watch: subscribe, clock, wait }: Follower,
  signal: AbortSignal,
): AsyncGenerator<FollowedJob | null> {
  const endsAt = clock() + followedForMs;
  let { row, told } = first;
  let said = "";
  let saidAt = clock();
  let lookedAt = Number.NEGATIVE_INFINITY;
  // Once subscribed, it is looked at again: what happened in between is in no news.
  let lookAt = isEnded(row) ? Number.POSITIVE_INFINITY : clock();
  let watch: JobWatch | null = null;
  let news: Promise<JobNews | null> | null = null;
  try {
    while (!signal.aborted && clock() < endsAt) {
      if (clock() >= lookAt) {
        watch ??= await subscribe();
        const seen = await look();
        if (seen === null) return;
        row = seen.row;
        told = laterOf(told, seen.told);
        lookedAt = clock();
        lookAt = lookedAt + lookEveryMs;
      }
      const job = jobOf(row, told);
      const saying = JSON.stringify([row.status, row.claim, job.row.step, job.progress]);
      if (saying !== said && (job.progress === null || job.id !== knownId)) {
        yield job;
        saidAt = clock();
      }
      said = saying;
      if (isEnded(row)) return;
      if (clock() - saidAt >= silenceMaxMs) {
        yield null;
        saidAt = clock();
      }

      news ??= watch?.next() ?? null;
      const until = Math.min(lookAt, saidAt + silenceMaxMs, endsAt);
      const heard = await firstOf(news, (over) => wait(until - clock(), AbortSignal.any([signal, over])));
      if (heard === undefined) continue;
      news = null;
      if (heard === null) watch = null;
      else if (heard.kind === "told") told = laterOf(told, heard);
      const hasMoved = heard?.kind === "moved" || (heard?.kind === "told" && heard.claim > row.claim);
      if (hasMoved) lookAt = Math.min(lookAt, lookedAt + lookAgainMs);
    }
  } finally {
    await watch?.stop();
  }
}

/** What comes of `news`, or undefined when the waiting, which its signal ends, is over before. */
async function firstOf<News>(
  news: Promise<News> | null,
  waiting: (over: AbortSignal) => Promise<void>,
): Promise<News | undefined> {
  const over = new AbortController();
  const waited = waiting(over.signal).then(() => undefined);
  const result = await (news === null ? waited : Promise.race([news, waited]));
  over.abort();
  return result;
}

function laterOf(one: ToldOfJob | null, other: ToldOfJob | null): ToldOfJob | null {
  if (one === null || other === null) return one ?? other;
  if (one.claim !== other.claim) return one.claim > other.claim ? one : other;
  return one.sequence >= other.sequence ? one : other;
}

/** What a node said counts as long as it holds the job. Its row gets a step later than the node tells of it. */
function jobOf(row: JobRow, told: ToldOfJob | null): FollowedJob {
  if (row.status !== "Processing" || told?.claim !== row.claim) {
    return { id: `${row.claim}.0`, row, progress: null };
  }
  const step = isLaterStep(told.step, row.step) ? told.step : row.step;
  return { id: `${row.claim}.${told.sequence}`, row: { ...row, step }, progress: told.progress };
}
