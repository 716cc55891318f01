import type { ComponentChildren } from "preact";

interface PanelProps {
  readonly title: string;
  /** Next to the title. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** A section of a view with a heading. */
export function Panel({ title, aside, children, class: name }: PanelProps) {
  return (
    <section class={`panel ${name ?? ""}`} aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
