import { useState } from "preact/hooks";

/**
 * Gives an `Idempotency-Key` for a request's body: the same one for the same body sent again after an answer got
 * lost, so that nothing is created twice, and a new one for every other.
 */
export function useOnceKey(): (body: object) => string {
  const [keys] = useState(() => new Map<string, string>());
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.get(text) ?? crypto.randomUUID();
    keys.set(text, key);
    return key;
  };
}
