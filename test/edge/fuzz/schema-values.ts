import * as fc from "fast-check";
import type { ValueSchema } from "../support/published-document.ts";

type Values = fc.Arbitrary<unknown>;

/** Anything that JSON can hold, and texts that have broken programs before. */
export const wildValues: Values = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: "binary" }),
  fc.constantFrom<unknown>(null, "", -0, 1e308, -1, 0.5, [], {}, [[]], true, "null", "[object Object]"),
  fc.constantFrom("..", "/", "\0", "\ud800", "' OR 1=1 --", "%00", "__proto__", "x".repeat(5000)),
);

/** Values that the schema allows, as far as it says. */
export function goodValues(schema: ValueSchema): Values {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(goodValues));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case "string":
      return goodTexts(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -100, max: Math.min(schema.maximum ?? 100, 2 ** 31 - 1) });
    case "number":
      return fc.double({ min: schema.minimum ?? -100, max: schema.maximum ?? 100, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(goodValues(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    case "object":
      return objects(schema, goodValues);
    case undefined:
    default:
      return wildValues;
  }
}

/** Mostly valid values, some that almost are, few of any kind: so most invalid requests have one problem. */
export function mixedValues(schema: ValueSchema): Values {
  const good = schema.type === "object" ? objects(schema, mixedValues) : goodValues(schema);
  return fc.oneof(
    { weight: 14, arbitrary: good },
    { weight: 2, arbitrary: nearlyGoodValues(schema) },
    { weight: 1, arbitrary: wildValues },
  );
}

function goodTexts({ format, pattern, minLength = 0, maxLength = 40 }: ValueSchema): Values {
  if (format === "uuid") return fc.uuid();
  if (format === "uri") return fc.webUrl({ withQueryParameters: true });
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, "u"));
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
}

function objects(schema: ValueSchema, valuesOf: (schema: ValueSchema) => Values): Values {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, valuesOf(field)]);
  const requiredKeys = [...(schema.required ?? [])];
  return fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys });
}

function nearlyGoodValues(schema: ValueSchema): Values {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(nearlyGoodValues));
  switch (schema.type) {
    case "string":
      return nearlyGoodTexts(schema);
    case "integer":
    case "number":
      return fc.constantFrom<unknown>(
        (schema.minimum ?? 0) - 1,
        (schema.maximum ?? 0) + 1,
        (schema.minimum ?? 0) + 0.5,
        String(schema.minimum ?? 0),
        Number.MAX_SAFE_INTEGER + 1,
        true,
      );
    case "boolean":
      return fc.constantFrom<unknown>("true", 1, 0, "");
    case "array":
      return fc.oneof(
        fc.constant([]),
        goodValues(schema),
        fc.array(mixedValues(schema.items ?? {}), { maxLength: 5 }),
        goodValues(schema.items ?? {}).map((one) =>
          Array.from({ length: (schema.maxItems ?? 100) + 1 }, () => one),
        ),
      );
    case "object":
      return fc.oneof(
        objects({ ...schema, required: [] }, goodValues),
        fc
          .tuple(objects(schema, goodValues), fc.string({ unit: "binary" }), fc.jsonValue())
          .map(([object, name, value]) => Object.assign({ [name]: value }, object)),
        goodValues(schema).map((object) => [object]),
      );
    case undefined:
    default:
      return wildValues;
  }
}

function nearlyGoodTexts(schema: ValueSchema): Values {
  const addresses = fc.oneof(
    fc.ipV4Extended().map((address) => `http://${address}/`),
    fc.ipV6().map((address) => `http://[${address}]/a.mp4`),
    fc.constantFrom(
      "https://a:b@media.example/",
      "ftp://media.example/",
      "//media.example",
      "http://localhost",
    ),
  );
  const words = (schema.enum ?? ["a"]).map(String);
  return fc.oneof(
    addresses,
    goodTexts({ ...schema, maxLength: 20 }).map((text) => `${String(text)}\u0000`),
    fc.constantFrom(...words).map((word) => word.toUpperCase()),
    fc.constantFrom(...words).map((word) => ` ${word}`),
    fc.constant("x".repeat((schema.maxLength ?? 300) + 1)),
    fc.constantFrom("", "-", ".", "00000000-0000-0000-0000-00000000000g", "a/../b", "a\\b", "\u202e.mp4"),
  );
}
