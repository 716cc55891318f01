/** What a file's name is reserved as: in managed storage names are apart per account. */
export function reservedName(accountId: string, storageKey: string): string {
  return `${accountId}/${storageKey}`;
}
