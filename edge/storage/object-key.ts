import { managedPrefixBytes } from "../../contracts/limits.ts";

export interface FileOwner {
  readonly accountId: string;
  readonly jobId: string;
}

/**
 * Where a job's file lies in its bucket. The managed one has a prefix of its own for each account and job, which
 * responses leave out; in a custom bucket the object's key is the storage key.
 */
export function objectKeyOf(
  place: { isManaged: boolean },
  { accountId, jobId }: FileOwner,
  storageKey: string,
): string {
  return place.isManaged ? `${accountId}/${jobId}/${storageKey}` : storageKey;
}

/** Bytes that stand before the storage key in an object's key. */
export function prefixBytesOf(place: { isManaged: boolean }): number {
  return place.isManaged ? managedPrefixBytes : 0;
}
