import "./navigation-bar.css";
import { ThemeToggle } from "../appearance/theme-toggle.tsx";
import { Icon } from "../elements/icon.tsx";
import { Wordmark } from "../elements/wordmark.tsx";
import { type Address, home, hrefOf } from "./address.ts";
import { currentAddress } from "./current-address.ts";

const places: readonly { label: string; to: Address; views: readonly Address["view"][] }[] = [
  { label: "Overview", to: home, views: ["overview", "job"] },
  { label: "Shows", to: { view: "shows" }, views: ["shows", "batch"] },
  { label: "Webhooks", to: { view: "webhooks", page: 1 }, views: ["webhooks"] },
  { label: "Account", to: { view: "account" }, views: ["account"] },
];

/** Links to all views, at the top of each. */
export function NavigationBar() {
  const { view } = currentAddress.value;
  return (
    <header class="bar">
      <div class="bar-inner">
        <a class="bar-home" href={hrefOf(home)} aria-label="Ferry, overview">
          <Wordmark />
        </a>
        <nav aria-label="Views">
          {places.map(({ label, to, views }) => (
            <a key={label} href={hrefOf(to)} aria-current={views.includes(view) ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <div class="bar-end">
          <ThemeToggle />
          <a class="button primary" href={hrefOf({ view: "new", kind: "media" })}>
            <Icon name="plus" />
            New job
          </a>
        </div>
      </div>
    </header>
  );
}
