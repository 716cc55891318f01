import { Icon } from "../elements/icon.tsx";
import { chooseTheme, isDark } from "./theme.ts";

/** Switches between light and dark. */
export function ThemeToggle() {
  const dark = isDark();
  const label = dark ? "Use light theme" : "Use dark theme";
  return (
    <button
      type="button"
      class="button quiet icon-only"
      aria-label={label}
      title={label}
      onClick={() => chooseTheme(dark ? "light" : "dark")}
    >
      <Icon name={dark ? "sun" : "moon"} />
    </button>
  );
}
