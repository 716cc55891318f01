import type { FailureCode } from "../../contracts/failure.ts";
import type { Progress } from "../../contracts/heartbeat.ts";
import type { WorkingStep } from "../../contracts/job-status.ts";
import type { FileFacts } from "../../contracts/file-facts.ts";
import type { StageTimings } from "../../contracts/report.ts";

export interface ReservedKey {
  /** The client's name for the file, its folder included. */
  readonly storageKey: string;
  /** Where the file lies in the bucket. */
  readonly objectKey: string;
}

export interface KeyWish {
  readonly title: string | null;
  readonly extension: string;
  /** The `storageKey` of an earlier answer, under which, or beside which, storage turned out to hold something else. */
  readonly taken: string | null;
  /** Suffixes of all that may come to lie beside the file. */
  readonly sidecars: string[];
}

/** What a running job asks of the edge and tells it. Every call rejects when the claim is dead or the job is aborted. */
export interface JobLink {
  reserveKey(wish: KeyWish): Promise<ReservedKey>;
  uploadStarted(uploadId: string): Promise<void>;
  /** May the object appear? Resolves when it may. */
  publish(facts: FileFacts): Promise<void>;
  stepReached(step: WorkingStep): void;
  progressMade(progress: Progress): void;
}

/** What is known of the file itself when it is to be published. */
export type MainFileFacts = Omit<FileFacts, "sidecars" | "preferred_subtitle">;

/**
 * What the upload of a job's file asks of the edge. Rejects as JobLink does; `publish` also with KeyTaken, where the file
 * is to take its next name.
 */
export interface FileLink extends Pick<JobLink, "uploadStarted"> {
  reserveKey(wish: Omit<KeyWish, "sidecars">): Promise<ReservedKey>;
  publish(facts: MainFileFacts): Promise<void>;
}

/** A failure with a place in the API: its code decides the sentence, its detail (sanitized later) may explain. */
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

/** What is left to report when the file lies in storage. */
export interface JobResult {
  readonly timings: StageTimings;
}
