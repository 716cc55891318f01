import { isEnded } from "../../contracts/job-lifecycle.ts";
import { isLaterStep } from "../../contracts/job-status.ts";
import type { Progress } from "../../contracts/heartbeat.ts";
import type { JobNews, LiveState } from "../cluster/job-news.ts";
import type { JobWatch } from "../cluster/watch-job.ts";
import type { JobRow } from "./find-job.store.ts";

/** A job at some point in time: its row, with the step its node has reported since. */
export interface FollowedJob {
  /**
   * `<claim>.<sequence>`: the claim, and the sequence number of the heartbeat that reported it, or 0 if only the row is
   * known.
   */
  readonly id: string;
  readonly row: JobRow;
  readonly progress: Progress | null;
}

/** What is known about a job: its row, and the latest report of the node that may hold it. */
export interface SeenJob {
  readonly row: JobRow;
  readonly live: LiveState | null;
}

/** What following a job needs from outside itself. */
export interface Follower {
  /** The job as it is now; null if the account may not see it any more. */
  readonly look: () => Promise<SeenJob | null>;
  /** Subscribes to the job's news; null if that is not possible now. */
  readonly watch: () => Promise<JobWatch | null>;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Resolves after this many milliseconds, or as soon as the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The row is read this often regardless of news, which can be lost. */
export const lookEveryMs = 10_000;
/** News cause the row to be read earlier, but not more often than this. */
const lookAgainMs = 250;
/** After this long without a change, a keep-alive is due. */
export const silenceMaxMs = 15_000;
/** Clients that want to continue reconnect. */
export const followedForMs = 15 * 60_000;

/**
 * Yields a job as it is now, then each change until its end; null is a keep-alive. Ends with the job, after 15 minutes,
 * when the account may not see the job any more, or when `signal` aborts. Progress with the id `knownId` is not
 * repeated. A broken subscription is renewed when the row is read next. Rejects if reading it does.
 */
export async function* followJob(
  first: SeenJob,
  knownId: string | null,
  { look, watch: subscribe, clock, wait }: Follower,
  signal: AbortSignal,
): AsyncGenerator<FollowedJob | null> {
  const endsAt = clock() + followedForMs;
  let { row, live } = first;
  let said = "";
  let saidAt = clock();
  let lookedAt = Number.NEGATIVE_INFINITY;
  // Look again after subscribing: what happened in between is in no news.
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
        live = laterOf(live, seen.live);
        lookedAt = clock();
        lookAt = lookedAt + lookEveryMs;
      }
      const job = jobOf(row, live);
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
      else if (heard.kind === "live") live = laterOf(live, heard);
      const hasMoved = heard?.kind === "moved" || (heard?.kind === "live" && heard.claim > row.claim);
      if (hasMoved) lookAt = Math.min(lookAt, lookedAt + lookAgainMs);
    }
  } finally {
    await watch?.stop();
  }
}

/** The first news, or undefined if the wait, which its signal ends, is over first. */
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

function laterOf(one: LiveState | null, other: LiveState | null): LiveState | null {
  if (one === null || other === null) return one ?? other;
  if (one.claim !== other.claim) return one.claim > other.claim ? one : other;
  return one.sequence >= other.sequence ? one : other;
}

/** A node's report counts as long as the node holds the job. The row gets a step later than the node reports it. */
function jobOf(row: JobRow, live: LiveState | null): FollowedJob {
  if (row.status !== "Processing" || live?.claim !== row.claim) {
    return { id: `${row.claim}.0`, row, progress: null };
  }
  const step = isLaterStep(live.step, row.step) ? live.step : row.step;
  return { id: `${row.claim}.${live.sequence}`, row: { ...row, step }, progress: live.progress };
}
