import type { ComponentChildren } from "preact";

/** Shown instead of an empty list, with a suggestion what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{title}</p>
      {children}
    </div>
  );
}
