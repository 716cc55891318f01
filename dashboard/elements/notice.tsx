import type { ComponentChildren } from "preact";

/** Something to know before continuing. */
export function Notice({ kind, children }: { kind: "bad" | "good" | "plain"; children: ComponentChildren }) {
  return <div class={`notice ${kind}`}>{children}</div>;
}
