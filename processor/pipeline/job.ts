import type { FailureCode } from "../../contracts/failure.ts";
import type { Progress } from "../../contracts/heartbeat.ts";
import type { WorkingStep } from "../../contracts/job-status.ts";
import type { FileFacts } from "../../contracts/file-facts.ts";
import type { StageTimings } from "../../contracts/report.ts";

export interface ReservedKey {
  /** The client's name for the file, including its folder. */
  readonly storageKey: string;
  /** The object's key in the bucket. */
  readonly objectKey: string;
}

export interface KeyWish {
  readonly title: string | null;
  readonly extension: string;
  /**
   * The `storageKey` of an earlier answer that cannot be used: storage already has something else under that name or
   * the name of one of its sidecars.
   */
  readonly taken: string | null;
  /** Suffixes of all sidecars that may be stored next to the file. */
  readonly sidecars: string[];
}

/** What a running job asks of the edge and tells it. Every call rejects if the claim is dead or the job is aborted. */
export interface JobLink {
  reserveKey(wish: KeyWish): Promise<ReservedKey>;
  uploadStarted(uploadId: string): Promise<void>;
  /** Resolves when the object may appear in storage. */
  publish(facts: FileFacts): Promise<void>;
  stepReached(step: WorkingStep): void;
  progressMade(progress: Progress): void;
}

/** What is known about the file itself when it is published. */
export type MainFileFacts = Omit<FileFacts, "sidecars" | "preferred_subtitle">;

/**
 * What the upload of a job's file asks of the edge. Rejects as JobLink does; `publish` also rejects with KeyTaken if
 * the file has to use its next name.
 */
export interface FileLink extends Pick<JobLink, "uploadStarted"> {
  reserveKey(wish: Omit<KeyWish, "sidecars">): Promise<ReservedKey>;
  publish(facts: MainFileFacts): Promise<void>;
}

/** A failure that the API reports: `code` determines the sentence, `detail` (sanitized later) may explain it. */
export class JobFailure extends Error {
  override readonly name = "JobFailure";
  readonly code: FailureCode;
  readonly detail: string | null;

  constructor(code: FailureCode, detail: string | null = null, options?: ErrorOptions) {
    super(detail ? `${code}: ${detail}` : code, options);
    this.code = code;
    this.detail = detail;
  }
}

/** What remains to be reported once the file is in storage. */
export interface JobResult {
  readonly timings: StageTimings;
}
