import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface ActionButtonProps {
  /** Classes in addition to `button`. */
  readonly look?: string;
  readonly icon?: IconName;
  readonly isBusy: boolean;
  readonly onClick: () => void;
  /** For a button without text: what it does, and to what. */
  readonly label?: { readonly name: string; readonly of: string };
  readonly children?: ComponentChildren;
}

/** A button for something that takes a moment. It keeps the focus meanwhile, which a disabled button would lose. */
export function ActionButton({ look = "", icon, isBusy, onClick, label, children }: ActionButtonProps) {
  return (
    <button
      type="button"
      class={`button ${look}`}
      aria-disabled={isBusy}
      {...(label && { "aria-label": `${label.name} ${label.of}`, title: label.name })}
      onClick={() => {
        if (!isBusy) onClick();
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
