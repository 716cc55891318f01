import { sidecarKey } from "../../contracts/sidecar-key.ts";

/**
 * What a file's name is reserved as in its location. The managed bucket is shared, but names are apart per account; a
 * custom bucket's location is one account's anyway.
 */
export function reservedName(accountId: string, storageKey: string): string {
  return `${accountId}/${storageKey}`;
}

/** The keys of a file and of all that may lie beside it. */
export function keysOfFile(storageKey: string, sidecarSuffixes: readonly string[]): string[] {
  return [storageKey, ...sidecarSuffixes.map((suffix) => sidecarKey(storageKey, suffix))];
}

/** The names that a file and its sidecars hold. */
export function namesOfFile(
  accountId: string,
  storageKey: string,
  sidecarSuffixes: readonly string[],
): string[] {
  return keysOfFile(storageKey, sidecarSuffixes).map((key) => reservedName(accountId, key));
}
