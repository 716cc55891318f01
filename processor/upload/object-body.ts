import type { MainFileFacts } from "../pipeline/job.ts";

/** One part of an object on its way to storage. */
export interface OutgoingPart {
  /** S3 part number, from 1. If a number is yielded again, the later bytes replace the earlier ones. */
  readonly number: number;
  readonly bytes: number;
  /** This is the only part of the object. */
  readonly isWhole: boolean;
  /** Returns the part's bytes, which are charged to the node's part memory until `release` is called. */
  load(): Promise<Uint8Array>;
  /** Call once when the part has been uploaded or given up, whether it was loaded or not. */
  release(): void;
}

/** The content of an object to upload, either complete or still being produced. */
export interface ObjectBody {
  /** Yields each part as soon as it is available, in any order. All have the same size except the object's last. */
  readonly parts: AsyncIterable<OutgoingPart>;
  /**
   * Call once all parts have been yielded. Resolves with the facts of the whole file once it is verified; rejects if
   * it must not be stored.
   */
  facts(): Promise<MainFileFacts>;
}
