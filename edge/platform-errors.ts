/**
 * How D1 and Durable Objects fail, by the platform's own rules, and who asks again.
 *
 * What the platform can repeat without harm it has repeated before it throws: a read of D1, a call that never reached
 * its object. Whether a write happened is not known when its call fails, and none is repeated here as it stands: what
 * follows from a transition that did happen would be counted twice. Whoever asked asks again, and is fenced: a node by
 * its claim, the queue and the sweep by the rows as they are then, a client by its idempotency key. A stub that has
 * failed is not used again: each use of an object gets one of its own.
 *
 * What is overloaded is asked less instead: clients and nodes are told when to come back, messages wait as long.
 */

/** So long who is told to come back stays away. */
export const overloadRestSeconds = 5;

/** D1 tells its reasons in words: too much at once, or one thing too large for it, which all meet who ask meanwhile. */
const overloadTexts = [
  /\boverloaded\b/i,
  /exceeded timeout which caused object to be reset/,
  /exceeded its (?:memory|CPU time) limit and was reset/,
];

/** True where the platform refuses work for now: a repetition at once would make it worse. */
export function isOverload(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("overloaded" in error && error.overloaded === true) return true;
  return overloadTexts.some((text) => text.test(error.message)) || isOverload(error.cause);
}
