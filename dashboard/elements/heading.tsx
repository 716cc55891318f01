import { useEffect } from "preact/hooks";

/**
 * A view's heading, which is also the title of the browser's tab. `isHidden`: for a view that is obvious without it.
 */
export function Heading({ text, isHidden = false }: { text: string; isHidden?: boolean }) {
  useEffect(() => {
    document.title = `${text} · Ferry`;
  }, [text]);
  return <h1 class={isHidden ? "visually-hidden" : undefined}>{text}</h1>;
}
