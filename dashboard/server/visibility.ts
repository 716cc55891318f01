import { signal } from "@preact/signals";

/** Whether the page is visible, as far as the browser knows. */
export const isVisible = signal(document.visibilityState === "visible");

document.addEventListener("visibilitychange", () => {
  isVisible.value = document.visibilityState === "visible";
});
