import { announce } from "./announcement.tsx";
import { Icon } from "./icon.tsx";

/** Copies a text that may be shown truncated. `what` names it, as in "Copy link". */
export function CopyButton({ text, what, quiet = false }: { text: string; what: string; quiet?: boolean }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      announce(`Copied the ${what}`);
    } catch {
      // Browsers forbid it on a page without TLS, or if the user has refused.
      announce(`The browser did not allow copying the ${what}`, "bad");
    }
  }
  const label = `Copy ${what}`;
  return (
    <button
      type="button"
      class={quiet ? "button quiet icon-only" : "button"}
      {...(quiet && { "aria-label": label, title: label })}
      onClick={() => void copy()}
    >
      <Icon name="copy" />
      {!quiet && label}
    </button>
  );
}
