import { signal } from "@preact/signals";

const storageKey = "ferry-api-key";

/**
 * The API key in use; null if there is none yet. It is stored in the browser's local storage and sent only in headers.
 */
export const apiKey = signal(localStorage.getItem(storageKey));

/** Why the previous key is no longer in use, as the service's sentence. */
export const refusal = signal<string | null>(null);

/** Stores the key for this and later visits. */
export function keepApiKey(key: string): void {
  localStorage.setItem(storageKey, key);
  refusal.value = null;
  apiKey.value = key;
}

/** Forgets the key, here and in other tabs; `sentence` says why if the user did not ask for it. */
export function forgetApiKey(sentence: string | null = null): void {
  localStorage.removeItem(storageKey);
  refusal.value = sentence;
  apiKey.value = null;
}

addEventListener("storage", (event) => {
  if (event.key === storageKey || event.key === null) apiKey.value = localStorage.getItem(storageKey);
});
