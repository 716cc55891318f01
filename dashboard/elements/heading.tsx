import { useEffect } from "preact/hooks";

/** A view's heading, which names the browser's tab too. `isHidden`: for a view that shows well enough what it is. */
export function Heading({ text, isHidden = false }: { text: string; isHidden?: boolean }) {
  useEffect(() => {
    document.title = `${text} · Ferry`;
  }, [text]);
  return <h1 class={isHidden ? "visually-hidden" : undefined}>{text}</h1>;
}
