import "./new-job.css";
import { hrefOf, type NewKind } from "../navigation/address.ts";
import { ListForm } from "./list-form.tsx";
import { MediaForm } from "./media-form.tsx";
import { Heading } from "../elements/heading.tsx";

const kinds: readonly { kind: NewKind; label: string }[] = [
  { kind: "media", label: "One file" },
  { kind: "show", label: "Podcast show" },
  { kind: "list", label: "Several files" },
];

const headings: Record<NewKind, string> = { media: "New job", show: "New show", list: "New jobs" };

/** Asks what to download: one file, every episode of a show, or a list. */
export function NewJob({ kind }: { kind: NewKind }) {
  return (
    <>
      <Heading text={headings[kind]} />
      <nav class="segments new-kinds" aria-label="What to download">
        {kinds.map((one) => (
          <a
            key={one.kind}
            href={hrefOf({ view: "new", kind: one.kind })}
            aria-current={one.kind === kind ? "true" : undefined}
          >
            {one.label}
          </a>
        ))}
      </nav>
      {kind === "list" ? <ListForm /> : <MediaForm isShow={kind === "show"} />}
    </>
  );
}
