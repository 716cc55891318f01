import { useRef } from "preact/hooks";

/** The error of the last completed attempt: it stays visible while the next attempt is running. */
export function useSettledError({
  isPending,
  error,
}: {
  isPending: boolean;
  error: Error | null;
}): Error | null {
  const last = useRef<Error | null>(null);
  if (!isPending) last.current = error;
  return last.current;
}
