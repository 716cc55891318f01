/**
 * How D1 and Durable Objects fail by the platform's own rules, and who retries.
 *
 * Before it throws, the platform has already repeated what it can repeat safely: a read of D1, a call that never
 * reached its object. When a write fails, it is unknown whether it happened, and it is not repeated here as it is: the
 * consequences of a transition that did happen would be counted twice. Instead, the original caller asks again and is
 * fenced: a node by its claim, the queue and the sweep by the rows as they are by then, a client by its idempotency
 * key. A stub that has failed is not reused: each use of an object gets its own.
 *
 * An overloaded part is asked less often instead: clients and nodes are told when to come back, and messages wait as
 * long.
 */

/** How long anyone who is told to come back stays away. */
export const overloadRestSeconds = 5;

/**
 * D1 gives its reasons in words: too much at once, or one request too large for it, which affects all concurrent ones.
 */
const overloadTexts = [
  /\boverloaded\b/i,
  /exceeded timeout which caused object to be reset/,
  /exceeded its (?:memory|CPU time) limit and was reset/,
];

/** True if the platform is refusing work for now: an immediate retry would make it worse. */
export function isOverload(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("overloaded" in error && error.overloaded === true) return true;
  return overloadTexts.some((text) => text.test(error.message)) || isOverload(error.cause);
}
