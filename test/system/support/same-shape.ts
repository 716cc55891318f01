/** Fields whose text is significant and must therefore be equal. */
const meaningful = new Set(["status", "step", "message", "error", "code", "type", "path"]);

/**
 * Returns each difference between `actual` and the documented shape as a sentence. Every documented field must exist
 * with the same type; additional ones are allowed. List items are compared with the documented item at the same index,
 * or the first. A documented null only matches null.
 */
export function differencesOfShape(shown: unknown, actual: unknown, path = "$"): string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual) || actual.length === 0) return [`${path} is not a list with something in it`];
    return actual.flatMap((one, index) =>
      differencesOfShape(shown[index] ?? shown[0], one, `${path}[${index}]`),
    );
  }
  if (typeof shown === "object" && shown !== null) {
    if (typeof actual !== "object" || actual === null) return [`${path} is ${JSON.stringify(actual)}`];
    const fields = new Map(Object.entries(actual));
    return Object.entries(shown).flatMap(([name, value]) => {
      const field = fields.get(name);
      if (field === undefined) return [`${path}.${name} is not there`];
      if (meaningful.has(name) && field !== value) return [`${path}.${name} is ${JSON.stringify(field)}`];
      return differencesOfShape(value, field, `${path}.${name}`);
    });
  }
  const alike = shown === null ? actual === null : typeof shown === typeof actual;
  return alike ? [] : [`${path} is ${JSON.stringify(actual)}`];
}
