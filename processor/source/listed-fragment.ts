/** A fragment's URL or its path below a common base, as the description states it; empty if it has neither. */
export function referenceOf(fragment: unknown): string {
  if (hasField(fragment, "url") && isText(fragment.url)) return fragment.url;
  return hasField(fragment, "path") && isText(fragment.path) ? fragment.path : "";
}

export function hasField<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === "object" && value !== null && name in value;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
