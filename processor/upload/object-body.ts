import type { MainFileFacts } from "../pipeline/job.ts";

/** One part of an object on its way to storage. */
export interface OutgoingPart {
  /** As storage counts, from 1. The same number may come again: then these bytes hold, and not the earlier ones. */
  readonly number: number;
  readonly bytes: number;
  /** There is no other part. */
  readonly isWhole: boolean;
  /** Its bytes, in memory from the node's part memory until `release` is called. */
  load(): Promise<Uint8Array>;
  /** The part has arrived or is given up. To be called once, loaded or not. */
  release(): void;
}

/** What becomes an object in storage, whether it is there already or still on its way. */
export interface ObjectBody {
  /** Each part as soon as it is there, in any order; all but the last of the object are of one size. */
  readonly parts: AsyncIterable<OutgoingPart>;
  /**
   * Asked once all parts are out: what they are together, when that was verified. Rejects where it must not be
   * stored.
   */
  facts(): Promise<MainFileFacts>;
}
