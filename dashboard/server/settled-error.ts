import { useRef } from "preact/hooks";

/** The error of the last try that has ended: what it said stays in its place while the next try is under way. */
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
