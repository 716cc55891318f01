import { signal } from "@preact/signals";
import { isVisible } from "../server/visibility.ts";

const tickMs = 5000;

/** The time that ages on the page are counted to, in milliseconds since the Unix epoch; it moves on every few seconds. */
export const now = signal(Date.now());

setInterval(() => {
  if (isVisible.value) now.value = Date.now();
}, tickMs);
