/**
 * What a file's name is reserved as in its location. The managed bucket is shared, but names are apart per account; a
 * custom bucket's location is one account's anyway.
 */
export function reservedName(accountId: string, storageKey: string): string {
  return `${accountId}/${storageKey}`;
}
