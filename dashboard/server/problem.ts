import { FerryError } from "../../client/ferry-client.ts";

/** What went wrong, as a sentence for the user: the service's own, if it gave one. */
export function problemSentence(error: Error): string {
  if (error instanceof FerryError) return error.message;
  return "Ferry did not respond. Check the connection and try again.";
}

export interface FormProblems {
  /** The service's message for each invalid field, by the field's name. */
  readonly ofFields: Readonly<Record<string, string>>;
  /** What belongs to none of the form's fields. */
  readonly ofForm: string | null;
}

type Detail = FerryError["details"][number];

/**
 * Assigns the service's messages about a request to the form's fields; `place` can name another field for a message.
 */
export function formProblems(
  error: Error | null,
  fieldNames: readonly string[],
  place: (detail: Detail) => Detail = (detail) => detail,
): FormProblems {
  if (error === null) return { ofFields: {}, ofForm: null };
  if (!(error instanceof FerryError) || error.details.length === 0) {
    return { ofFields: {}, ofForm: problemSentence(error) };
  }
  const ofFields: Record<string, string> = {};
  const others: string[] = [];
  for (const { path, message } of error.details.map(place)) {
    if (!fieldNames.includes(path)) others.push(message);
    else ofFields[path] = ofFields[path] === undefined ? message : `${ofFields[path]} · ${message}`;
  }
  return { ofFields, ofForm: others.length > 0 ? others.join(" · ") : null };
}
