import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const shownMs = 6000;

interface Said {
  readonly sentence: string;
  readonly kind: "good" | "bad";
}

const said = signal<Said | null>(null);

/** Tells the user the result of an action, without moving anything on the page. */
export function announce(sentence: string, kind: Said["kind"] = "good"): void {
  said.value = { sentence, kind };
}

/** Where announcements appear, and are read out. */
export function Announcement() {
  const current = said.value;
  useEffect(() => {
    if (current === null) return;
    const timer = setTimeout(() => (said.value = null), shownMs);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div class="announcement" role="status">
      {current !== null && <p class={current.kind}>{current.sentence}</p>}
    </div>
  );
}
