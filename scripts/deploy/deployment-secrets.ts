/** Secrets that a deployment needs and that can be made here, and those that only the account's owner can get. */
const madeHere = ["PROCESSOR_SECRET", "ENCRYPTION_KEY"] as const;
const givenOnly = ["STORAGE_ACCESS_KEY_ID", "STORAGE_SECRET_ACCESS_KEY"] as const;
/** Not secret: kept among them because the first deployment itself brings it to light. */
export const edgeUrlName = "EDGE_URL";
const whileRotating = ["PROCESSOR_SECRET_PREVIOUS", "ENCRYPTION_KEY_PREVIOUS"] as const;

export const secretNames: ReadonlySet<string> = new Set([...madeHere, ...givenOnly, ...whileRotating]);

export type MadeSecret = (typeof madeHere)[number];

export interface SecretPlan {
  /** To be made, kept in the environment's file, and only then deployed. */
  readonly make: readonly MadeSecret[];
  /** Nobody has given them, and the Worker has none. */
  readonly missing: readonly string[];
  /** Names whose values the environment's file has: they become the Worker's. */
  readonly given: readonly string[];
}

/**
 * Which secrets to make, to send and to ask for. What the Worker has and the file does not is left as it is: a new
 * ENCRYPTION_KEY would make everything unreadable that the former one closed.
 *
 * @param given names in the environment's file
 * @param present names of the Worker's secrets
 */
export function planSecrets(given: ReadonlySet<string>, present: ReadonlySet<string>): SecretPlan {
  const isNowhere = (name: string): boolean => !given.has(name) && !present.has(name);
  return {
    make: madeHere.filter(isNowhere),
    missing: givenOnly.filter(isNowhere),
    given: [...secretNames].filter((name) => given.has(name)),
  };
}
