import * as fc from "fast-check";

/** Values that formats do not expect: of any type, out of range, or with a special meaning elsewhere. */
const oddValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    "",
    "none",
    "NaN",
    "-1",
    "1e999",
    "__proto__",
    "http://[",
    "file:///etc/passwd",
    "//[::1]/",
    -1,
    1e308,
  ),
);

/** The same object with some of its values, at any depth, replaced or removed. */
export function spoiled(value: unknown): fc.Arbitrary<unknown> {
  const kept: fc.Arbitrary<unknown> = Array.isArray(value)
    ? fc.tuple(...value.map(spoiled))
    : typeof value === "object" && value !== null
      ? fc.record(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spoiled(each)])), {
          requiredKeys: [],
        })
      : fc.constant(value);
  return fc.oneof({ weight: 12, arbitrary: kept }, { weight: 1, arbitrary: oddValue });
}
