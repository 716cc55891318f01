import type { ClaimedJob } from "../../contracts/task.ts";
import { namesOfFile } from "./reserved-names.ts";

/** What a node knows of a job's file when it asks for its key. */
export interface KeyWish extends ClaimedJob {
  /** Its place among the questions of the attempt; undefined if the node does not number them. */
  readonly sequence?: number | undefined;
  readonly title: string | null;
  readonly extension: string;
  /** A key of this job for which storage turned out to have an object already, for the file or one of its sidecars. */
  readonly taken: string | null;
  /** Suffixes of possible sidecars: their keys are reserved along with the file's. */
  readonly sidecars: readonly string[];
}

/** What the database knows of a job whose claim is alive, as far as its key depends on it. */
export interface WishedJob {
  readonly accountId: string;
  readonly jobId: string;
  readonly folder: string | null;
  readonly filename: string | null;
  readonly storageKey: string | null;
  readonly sidecarSuffixes: readonly string[];
  readonly uploadId: string | null;
  /** Keys that it gave up, and under which something may still have to be deleted. */
  readonly leftKeys: readonly string[];
  /** Some attempt was allowed to let objects appear under the key. */
  readonly wasPublished: boolean;
  readonly locationId: number;
  readonly isManaged: boolean;
  /**
   * Who must not hold a name: the account, and for a custom bucket every other account that has configured the same
   * one.
   */
  readonly owners: readonly (readonly [locationId: number, accountId: string])[];
}

/** A name in a location. */
type Place = readonly [locationId: number, name: string];

/** An unsettled wish; numbers of its name below `number` are known to be taken. */
export interface OpenWish {
  readonly index: number;
  readonly wish: KeyWish;
  number: number;
}

/** A wish and its job. */
export interface WishOfJob {
  readonly open: OpenWish;
  readonly job: WishedJob;
}

/** A name that was free when it was looked up. */
export interface Choice extends WishOfJob {
  readonly storageKey: string;
}

/** Where the names of a file, and of its possible sidecars, must be free. */
export function placesOfFile(
  { owners }: Pick<WishedJob, "owners">,
  storageKey: string,
  sidecarSuffixes: readonly string[],
): Place[] {
  return owners.flatMap(([locationId, accountId]) =>
    namesOfFile(accountId, storageKey, sidecarSuffixes).map((name): Place => [locationId, name]),
  );
}
