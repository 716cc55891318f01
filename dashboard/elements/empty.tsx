import type { ComponentChildren } from "preact";

/** What stands where there is nothing to list, with the way on. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{title}</p>
      {children}
    </div>
  );
}
