import { managedPrefixBytes } from "../../contracts/limits.ts";

export interface FileOwner {
  readonly accountId: string;
  readonly jobId: string;
}

/**
 * The key of a job's file in its bucket. In the managed bucket each account and job has its own prefix, which responses
 * leave out; in a custom bucket the object key is the storage key.
 */
export function objectKeyOf(
  place: { isManaged: boolean },
  { accountId, jobId }: FileOwner,
  storageKey: string,
): string {
  return place.isManaged ? `${accountId}/${jobId}/${storageKey}` : storageKey;
}

/** The length of that prefix in bytes. */
export function prefixBytesOf(place: { isManaged: boolean }): number {
  return place.isManaged ? managedPrefixBytes : 0;
}
