import { signal } from "@preact/signals";

type Theme = "light" | "dark";

const { dataset } = document.documentElement;
/** What the user chose, as applied by `first-theme.ts`; without a choice, the browser's preference is followed. */
const chosen = signal(dataset["theme"]);

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(prefersDark.matches);
prefersDark.addEventListener("change", (event) => (systemIsDark.value = event.matches));

/** Whether the page is dark now; reading it in a component follows changes. */
export function isDark(): boolean {
  return chosen.value === undefined ? systemIsDark.value : chosen.value === "dark";
}

/** Shows the page in this theme, now and on later visits. */
export function chooseTheme(theme: Theme): void {
  chosen.value = theme;
  dataset["theme"] = theme;
  localStorage.setItem("ferry-theme", theme);
}
