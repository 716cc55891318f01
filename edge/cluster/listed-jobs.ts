import type { HeldJob, Heartbeat } from "../../contracts/heartbeat.ts";
import { missingAfterHeartbeats, missingAfterMs } from "../../contracts/limits.ts";
import type { JobInWork } from "./job-in-work.ts";

/**
 * The jobs in one node's latest heartbeat, and, of running jobs, what its earlier ones said. A memory that is lost has
 * never seen a job listed; it only knows what it has heard since.
 */
export class ListedJobs {
  #sequence = -1;
  #jobs = new Map<string, HeldJob>();
  /** By job id: the latest claim with which the node has ever listed it. */
  readonly #lastClaims = new Map<string, number>();
  /**
   * For each job the node should hold but does not list: the heartbeat sequence number at which this was first noticed.
   */
  readonly #missingSince = new Map<string, number>();

  /** The latest heartbeat's sequence number; before the first, less than any. */
  get sequence(): number {
    return this.#sequence;
  }

  get count(): number {
    return this.#jobs.size;
  }

  hear({ sequence, jobs }: Heartbeat): void {
    this.#sequence = sequence;
    this.#jobs = new Map(jobs.map((job) => [job.job_id, job]));
    for (const { job_id, claim } of jobs) this.#lastClaims.set(job_id, claim);
  }

  all(): HeldJob[] {
    return [...this.#jobs.values()];
  }

  /** The job as the node lists it with this claim; null if it does not. */
  find(jobId: string, claim: number): HeldJob | null {
    const job = this.#jobs.get(jobId);
    return job?.claim === claim ? job : null;
  }

  hasEverListed({ jobId, claim }: JobInWork): boolean {
    return this.#lastClaims.get(jobId) === claim;
  }

  /**
   * True if the node has not listed the job in several heartbeats, and it was claimed long enough ago. Call it
   * regularly: the first call without the job is what the heartbeats are counted from.
   */
  noteMissing({ jobId, claim, claimedAt }: JobInWork, now: number): boolean {
    const listed = this.#jobs.get(jobId);
    if (listed !== undefined && listed.claim >= claim) {
      this.#missingSince.delete(jobId);
      return false;
    }
    if (now - claimedAt < missingAfterMs) return false;
    const since = this.#missingSince.get(jobId) ?? this.#sequence;
    this.#missingSince.set(jobId, since);
    const isMissing = this.#sequence - since >= missingAfterHeartbeats;
    if (isMissing) this.#missingSince.delete(jobId);
    return isMissing;
  }

  /** Forgets what was said about other jobs. The latest list stays. */
  forgetAllBut(jobIds: ReadonlySet<string>): void {
    for (const memory of [this.#lastClaims, this.#missingSince])
      for (const jobId of memory.keys()) if (!jobIds.has(jobId)) memory.delete(jobId);
  }
}
