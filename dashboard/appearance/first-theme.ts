/**
 * Applies the chosen theme before anything is painted. The page loads it as a classic script in its head, which the
 * browser waits for, so it cannot import anything. `theme.ts` stores the choice under the same key.
 */
const chosen = localStorage.getItem("ferry-theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
