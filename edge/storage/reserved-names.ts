import { sidecarKey } from "../../contracts/sidecar-key.ts";

/**
 * The form in which a file's name is reserved in its location. In the shared managed bucket names are separate per
 * account; a custom bucket's location belongs to one account anyway.
 */
export function reservedName(accountId: string, storageKey: string): string {
  return `${accountId}/${storageKey}`;
}

/** The keys of a file and of all its possible sidecars. */
export function keysOfFile(storageKey: string, sidecarSuffixes: readonly string[]): string[] {
  return [storageKey, ...sidecarSuffixes.map((suffix) => sidecarKey(storageKey, suffix))];
}

/** The names held by a file and its sidecars. */
export function namesOfFile(
  accountId: string,
  storageKey: string,
  sidecarSuffixes: readonly string[],
): string[] {
  return keysOfFile(storageKey, sidecarSuffixes).map((key) => reservedName(accountId, key));
}
