import { useState } from "preact/hooks";

/**
 * Provides an `Idempotency-Key` for a request's body: the same one if the same body is sent again after a lost
 * response, so that nothing is created twice, and a new one for any other body.
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
