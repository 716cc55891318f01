/** Where a file lies in the managed bucket: under its account's and its job's own prefix, which responses leave out. */
export function managedObjectKey(accountId: string, jobId: string, storageKey: string): string {
  return `${accountId}/${jobId}/${storageKey}`;
}
