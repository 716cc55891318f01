import { signal } from "@preact/signals";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storageKey = "ferry-theme";

const stored = localStorage.getItem(storageKey);
/** What the user chose; `system` follows the browser. */
export const theme = signal<Theme>(themes.find((one) => one === stored) ?? "system");

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(prefersDark.matches);
prefersDark.addEventListener("change", (event) => (systemIsDark.value = event.matches));

/** Whether the page is dark now; reading it in a component follows changes. */
export function isDark(): boolean {
  return theme.value === "system" ? systemIsDark.value : theme.value === "dark";
}

/** Shows the page in the chosen theme. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === "system") delete dataset["theme"];
  else dataset["theme"] = theme.value;
}

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem(storageKey, chosen);
  applyTheme();
}
