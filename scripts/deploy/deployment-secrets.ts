/** Secrets that a deployment needs and that can be generated here, and those that only the account's owner can get. */
const madeHere = ["PROCESSOR_SECRET", "ENCRYPTION_KEY"] as const;
const givenOnly = ["STORAGE_ACCESS_KEY_ID", "STORAGE_SECRET_ACCESS_KEY"] as const;
/** Not secret, but kept with them because the first deployment finds it out. */
export const edgeUrlName = "EDGE_URL";
const whileRotating = ["PROCESSOR_SECRET_PREVIOUS", "ENCRYPTION_KEY_PREVIOUS"] as const;

export const secretNames: ReadonlySet<string> = new Set([...madeHere, ...givenOnly, ...whileRotating]);

export type MadeSecret = (typeof madeHere)[number];

export interface SecretPlan {
  /** To be generated and saved in the environment's file before they are deployed. */
  readonly make: readonly MadeSecret[];
  /** Given by nobody, and unknown to the Worker. */
  readonly missing: readonly string[];
  /** Names whose values are in the environment's file: they become the Worker's. */
  readonly given: readonly string[];
}

/**
 * Which secrets to generate, to send and to ask for. What the Worker has and the file does not is left alone: a new
 * ENCRYPTION_KEY would make everything encrypted with the previous one unreadable.
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
