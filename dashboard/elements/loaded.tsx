import type { ComponentChildren } from "preact";
import { problemSentence } from "../server/problem.ts";
import { useSettledError } from "../server/settled-error.ts";
import { Notice } from "./notice.tsx";

interface Answer<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
}

interface LoadedProps<Data> {
  readonly answer: Answer<Data>;
  readonly children: (data: Data) => ComponentChildren;
  /** Shown until the first response. */
  readonly placeholder?: ComponentChildren;
}

/** Shows the service's last response; before the first one a placeholder, or why there is none. */
export function Loaded<Data>({ answer, children, placeholder }: LoadedProps<Data>) {
  const error = useSettledError(answer);
  if (answer.data !== undefined) return <>{children(answer.data)}</>;
  if (error) return <Notice kind="bad">{problemSentence(error)}</Notice>;
  return <>{placeholder ?? <p class="muted loading">Loading …</p>}</>;
}
