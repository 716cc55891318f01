import { signal } from "@preact/signals";
import { isVisible } from "../server/visibility.ts";

const tickMs = 5000;

/** The current time for ages on the page, in milliseconds since the Unix epoch; updated every few seconds. */
export const now = signal(Date.now());

setInterval(() => {
  if (isVisible.value) now.value = Date.now();
}, tickMs);
