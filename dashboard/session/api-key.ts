import { signal } from "@preact/signals";

const storageKey = "ferry-api-key";

/** The key in use; null before there is one. It lives in the browser's local storage and goes into headers alone. */
export const apiKey = signal(localStorage.getItem(storageKey));

/** Why the key that was in use is so no longer, as the service's sentence. */
export const refusal = signal<string | null>(null);

/** Keeps the key for this and later visits. */
export function keepApiKey(key: string): void {
  localStorage.setItem(storageKey, key);
  refusal.value = null;
  apiKey.value = key;
}

/** Forgets the key, here and in other tabs; `sentence` says why when that was not the user's wish. */
export function forgetApiKey(sentence: string | null = null): void {
  localStorage.removeItem(storageKey);
  refusal.value = sentence;
  apiKey.value = null;
}

addEventListener("storage", (event) => {
  if (event.key === storageKey || event.key === null) apiKey.value = localStorage.getItem(storageKey);
});
