import { type RefObject } from "preact";
import { useEffect } from "preact/hooks";

/**
 * Moves the focus to the view when the element that had it disappears, such as a button whose work is done: otherwise
 * keyboard navigation would start at the top of the page again.
 */
export function useKeptFocus(view: RefObject<HTMLElement>): void {
  useEffect(() => {
    const place = view.current;
    if (place === null) return;
    let focused: Element | null = null;
    const note = ({ target }: FocusEvent) => {
      focused = target instanceof Element ? target : null;
    };
    const removals = new MutationObserver(() => {
      if (focused?.isConnected !== false) return;
      focused = null;
      if (document.activeElement === document.body) place.focus({ preventScroll: true });
    });
    place.addEventListener("focusin", note);
    removals.observe(place, { childList: true, subtree: true });
    return () => {
      place.removeEventListener("focusin", note);
      removals.disconnect();
    };
  }, [view]);
}
