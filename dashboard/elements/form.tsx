import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Notice } from "./notice.tsx";

interface FormProps {
  readonly label: string;
  /** A problem that belongs to no field. */
  readonly problem: string | null;
  /** Increases with each failed attempt. */
  readonly problemCount: number;
  readonly isBusy: boolean;
  readonly action: string;
  readonly busyAction: string;
  readonly onSubmit: (form: FormData) => void;
  readonly onCancel?: () => void;
  readonly children: ComponentChildren;
}

/**
 * A form that the service validates: its messages appear next to the fields, and the first invalid one gets the focus.
 */
export function Form(props: FormProps) {
  const { label, problem, problemCount, isBusy, action, busyAction, onSubmit, onCancel, children } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problemCount === 0 || isBusy) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid='true'], .notice.bad")?.focus();
  }, [problemCount, isBusy]);
  return (
    <form
      ref={form}
      class="form"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
      <div role="alert">{problem !== null && <Notice kind="bad">{problem}</Notice>}</div>
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={isBusy}>
          {isBusy ? busyAction : action}
        </button>
        {onCancel !== undefined && (
          <button type="button" class="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}
