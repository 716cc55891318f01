import type { ComponentChildren } from "preact";
import type { FormProblems } from "../server/problem.ts";

interface FieldProps {
  /** As the API names it. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly problems: FormProblems;
  readonly wide?: boolean;
}

interface TextFieldProps extends FieldProps {
  readonly value?: string | undefined;
  readonly placeholder?: string;
  readonly type?: "text" | "password" | "url";
  readonly inputMode?: "numeric";
  readonly autofocus?: boolean;
}

/** Associates a control with its hint and with the service's message about it. */
function describedBy({ name, hint, problems }: FieldProps) {
  const problem = problems.ofFields[name];
  const ids = [hint !== undefined && `${name}-hint`, problem !== undefined && `${name}-problem`];
  return {
    id: name,
    name,
    "aria-invalid": problem !== undefined,
    "aria-describedby": ids.filter((id) => id !== false).join(" ") || undefined,
  };
}

function FieldFrame(props: FieldProps & { children: ComponentChildren }) {
  const { name, label, wide, children } = props;
  return (
    <div class={wide ? "field wide" : "field"}>
      <label for={name}>{label}</label>
      {children}
      <FieldNotes {...props} />
    </div>
  );
}

function FieldNotes({ name, hint, problems }: FieldProps) {
  const problem = problems.ofFields[name];
  return (
    <>
      {problem !== undefined && (
        <p id={`${name}-problem`} class="field-problem">
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${name}-hint`} class="field-hint">
          {hint}
        </p>
      )}
    </>
  );
}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const { value, placeholder, type = "text", inputMode, autofocus } = props;
  return (
    <FieldFrame {...props}>
      <input
        {...describedBy(props)}
        type={type}
        defaultValue={value}
        placeholder={placeholder}
        inputMode={inputMode}
        autofocus={autofocus}
        autocomplete="off"
        spellcheck={false}
      />
    </FieldFrame>
  );
}

/** Several lines of text. */
export function LinesField(props: FieldProps & { placeholder?: string; rows: number }) {
  return (
    <FieldFrame {...props}>
      <textarea
        {...describedBy(props)}
        rows={props.rows}
        placeholder={props.placeholder}
        spellcheck={false}
      />
    </FieldFrame>
  );
}

interface ChoiceFieldProps<Value extends string> extends FieldProps {
  /** What each value means; the first entry is "not given". */
  readonly choices: Readonly<Record<Value, string>>;
  /** Says what happens if nothing is chosen. */
  readonly none: string;
}

/** One of several values, or none. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  return (
    <FieldFrame {...props}>
      <select {...describedBy(props)}>
        <option value="">{props.none}</option>
        {Object.entries<string>(props.choices).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** Yes or no. */
export function CheckField(props: FieldProps & { isChecked?: boolean }) {
  const { name, label, wide, isChecked } = props;
  return (
    <div class={wide ? "field check wide" : "field check"}>
      <label for={name}>
        <input {...describedBy(props)} type="checkbox" defaultChecked={isChecked} />
        {label}
      </label>
      <FieldNotes {...props} />
    </div>
  );
}
