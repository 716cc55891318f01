import { type Schema, Validator } from "@cfworker/json-schema";
import { expect } from "vitest";
import { z } from "zod";

const operationSchema = z.looseObject({
  responses: z.record(
    z.string(),
    z.looseObject({
      /** By media type; no response has two. */
      content: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })).optional(),
    }),
  ),
});
const documentSchema = z.looseObject({
  info: z.looseObject({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({}),
});
/** The system's OpenAPI document. */
export type PublishedDocument = z.infer<typeof documentSchema>;

interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Parsed, if it was JSON. */
  readonly body: unknown;
}

const errorReference = { $ref: "#/components/schemas/Error" };

export async function readPublishedDocument(url: string): Promise<PublishedDocument> {
  return documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
}

/**
 * Fails the test unless the document describes this response for the operation and the body has its shape. Without such
 * an operation, the response must be an error of the common shape.
 */
export function expectPublished(document: PublishedDocument, { method, path, status, body }: Answered): void {
  const operation = operationsAt(document, path)?.[method.toLowerCase()];
  if (operation === undefined && status < 400) return;
  const [content] = Object.values(operation?.responses[status]?.content ?? {});
  const schema = content?.schema;
  if (operation !== undefined)
    expect(schema, `${method} ${path} publishes no answer ${status}`).toBeDefined();
  const root: Schema = { ...(schema ?? errorReference), components: document.components };
  const { valid, errors } = new Validator(root, "2020-12", false).validate(body);
  expect(valid, JSON.stringify(errors)).toBe(true);
}

/** A literal path takes precedence over one with matching parameters. */
function operationsAt({ paths }: PublishedDocument, path: string) {
  const { pathname } = new URL(path, "http://system");
  const fitting = Object.keys(paths).find((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
  );
  return paths[pathname] ?? (fitting === undefined ? undefined : paths[fitting]);
}
