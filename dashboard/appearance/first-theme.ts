/**
 * Puts the chosen theme on the page before anything is painted. The page loads it as a plain script in its head, which
 * the browser waits for; so it imports nothing. `theme.ts` keeps the choice, under the same key.
 */
const chosen = localStorage.getItem("ferry-theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
