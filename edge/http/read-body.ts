import type { Context } from "hono";
import { z } from "zod";
import type { HttpEnv } from "./http-env.ts";
import { bodyNotAnObject, bodyTooLarge, invalidJson, unsupportedMediaType } from "./http-errors.ts";
import { requestProblems } from "./request-problems.ts";

/**
 * The request's JSON object, parsed by its schema. Throws the ApiError of the first check that fails: Content-Type,
 * size, JSON, object, schema.
 */
export async function readBody<Schema extends z.ZodType>(
  c: Context<HttpEnv>,
  schema: Schema,
): Promise<z.output<Schema>> {
  if (!isJson(c.req.header("content-type"))) throw unsupportedMediaType();
  const bytes = await readBytes(c.req.raw, c.env.settings.limits.requestBodyBytes);
  return parseObject(bytes, schema);
}

const noFields = z.strictObject({});

/**
 * Lets a request pass if it has no body, or an object without fields. For anything else it throws the ApiError that
 * `readBody` would: what a client sends is never silently ignored.
 */
export async function refuseBody(c: Context<HttpEnv>): Promise<void> {
  if (!isJson(c.req.header("content-type"))) {
    if (await hasBytes(c.req.raw)) throw unsupportedMediaType();
    return;
  }
  const bytes = await readBytes(c.req.raw, c.env.settings.limits.requestBodyBytes);
  if (bytes.byteLength > 0) parseObject(bytes, noFields);
}

function parseObject<Schema extends z.ZodType>(bytes: Uint8Array, schema: Schema): z.output<Schema> {
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw bodyNotAnObject();
  const result = schema.safeParse(withoutEmptyTexts(value));
  if (!result.success) throw requestProblems(result.error);
  return result.data;
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

async function hasBytes({ body }: Request): Promise<boolean> {
  for await (const chunk of body ?? []) {
    if (chunk.byteLength > 0) return true;
  }
  return false;
}

/** Stops reading as soon as the body exceeds the limit, whatever its Content-Length says. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > maxBytes) throw bodyTooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) throw invalidJson();
    throw error;
  }
}

/** An empty string counts as not given, like null: in the body's fields, and in those of objects that a field lists. */
function withoutEmptyTexts(body: object): object {
  return mapFields(body, (value) =>
    Array.isArray(value) ? value.map((item: unknown) => mapFields(item, emptyToNull)) : emptyToNull(value),
  );
}

function emptyToNull(value: unknown): unknown {
  return value === "" ? null : value;
}

/** Anything but an object stays as it is. */
function mapFields<Value>(value: Value, change: (field: unknown) => unknown): Value | object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field)]));
}
