import { JobFailure } from "./job.ts";

/**
 * Runs a job's work for at most `timeLeftMs`, after which its signal is aborted with `failure`. Whatever aborted work
 * rejects with, this rejects with the reason for the abort.
 */
export async function withinTimeLimit<Result>(
  timeLeftMs: number,
  jobSignal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  failure = new JobFailure("time_limit"),
): Promise<Result> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(failure), Math.max(0, timeLeftMs));
  const signal = AbortSignal.any([jobSignal, limit.signal]);
  try {
    return await work(signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
