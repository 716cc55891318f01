/** Fields whose text means something, so that it must be the same. */
const meaningful = new Set(["status", "step", "message", "error", "code", "type", "path"]);

/**
 * Where `actual` is not of the shape that the documentation shows, each as a sentence; none when it is. What is shown
 * must be there and of the same type, items of a list like the one shown in their place, or the first; more may be there. A null shown stands
 * for null alone.
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
