import * as fc from "fast-check";
import type { Operation } from "../support/published-document.ts";
import { mixedValues, wildValues } from "./schema-values.ts";

export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

interface Route {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

/** Requests to one route: mostly as published, so that many pass the first check. */
export function requestsTo(route: Route, knownIds: fc.Arbitrary<string>): fc.Arbitrary<FuzzedRequest> {
  return fc.record({
    method: fc.constant(route.method.toUpperCase()),
    path: fc.tuple(paths(route, knownIds), queries(route.operation, knownIds)).map((parts) => parts.join("")),
    headers: fc
      .tuple(parameterHeaders(route.operation), contentTypes(route.operation))
      .map(([parameters, contentType]) => ({ ...parameters, ...contentType })),
    // No client sends a body with GET.
    body: route.method === "get" ? fc.constant(null) : bodies(route.operation),
  });
}

const mostly = <Value>(good: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: other });

function paths({ path }: Route, knownIds: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const ids = fc.oneof(
    { weight: 6, arbitrary: knownIds },
    { weight: 1, arbitrary: knownIds.map((id) => id.toUpperCase()) },
    { weight: 2, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1 }).map(percentEncode) },
    { weight: 1, arbitrary: fc.constantFrom("%ff", "%00", "%2e%2e", "null", "%2F", "0") },
  );
  return ids.map((id) => path.replace("{id}", () => id));
}

function queries(operation: Operation, knownIds: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const fields = (operation.parameters ?? []).filter(({ in: place }) => place === "query");
  if (fields.length === 0) return fc.constantFrom("", "?", "?unknown=1");
  const values = fields.map(({ name, schema }): [string, fc.Arbitrary<unknown>] => [
    name,
    schema.format === "uuid" ? mostly<unknown>(knownIds, mixedValues(schema)) : mixedValues(schema),
  ]);
  return fc
    .record(Object.fromEntries(values), { requiredKeys: [] })
    .map((query) =>
      Object.entries(query)
        .map(([name, value]) => `${name}=${percentEncode(textOf(value))}`)
        .join("&"),
    )
    .map((query) => (query === "" ? "" : `?${query}`));
}

/** Removes what a header cannot contain. */
function parameterHeaders(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const fields = (operation.parameters ?? []).filter(({ in: place }) => place === "header");
  const values = fields.map(({ name, schema }): [string, fc.Arbitrary<string>] => [
    name,
    mostly(
      fc.oneof(mixedValues(schema).map(textOf), fc.constantFrom("key-1", "key-2")),
      fc.constantFrom("", "x".repeat(256)),
    ).filter((value) => /^[\x20-\x7e]*$/.test(value)),
  ]);
  return fc.record<Record<string, string>>(Object.fromEntries(values), { requiredKeys: [] });
}

function contentTypes({ requestBody }: Operation): fc.Arbitrary<Record<string, string>> {
  const none = fc.constant<Record<string, string>>({});
  const header = (...values: string[]) =>
    fc.constantFrom(...values).map((value) => ({ "content-type": value }));
  if (requestBody === undefined) return fc.oneof(none, header("text/plain", "application/json"));
  const json = header("application/json", "application/json; charset=utf-8");
  return mostly<Record<string, string>>(json, fc.oneof(none, header("text/plain", "")));
}

function bodies({ requestBody }: Operation): fc.Arbitrary<FuzzedRequest["body"]> {
  const raw = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.uint8Array().map((bytes) => Uint8Array.from(bytes)),
    wildValues.map((value) => JSON.stringify(value)),
    fc.constantFrom("", "{", "[]", '{"url":', '{"__proto__":{"url":"https://media.example/"}}'),
  );
  if (requestBody === undefined) return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, raw);
  const published = mixedValues(requestBody.content["application/json"].schema);
  return mostly<FuzzedRequest["body"]>(
    published.map((value) => JSON.stringify(value)),
    raw,
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Encodes a lone surrogate, too, as browsers do. */
function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
