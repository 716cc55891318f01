import type { Context } from "hono";
import type { z } from "zod";
import type { HttpEnv } from "./http-env.ts";
import { bodyNotAnObject, bodyTooLarge, invalidJson, unsupportedMediaType } from "./http-errors.ts";
import { requestProblems } from "./request-problems.ts";

/**
 * The request's JSON object, as its schema gives it. Throws the ApiError of the first check that fails: Content-Type,
 * size, JSON, object, schema.
 */
export async function readBody<Schema extends z.ZodType>(
  c: Context<HttpEnv>,
  schema: Schema,
): Promise<z.output<Schema>> {
  if (!isJson(c.req.header("content-type"))) throw unsupportedMediaType();
  const bytes = await readBytes(c.req.raw, c.env.settings.limits.requestBodyBytes);
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw bodyNotAnObject();
  const result = schema.safeParse(withoutEmptyTexts(value));
  if (!result.success) throw requestProblems(result.error);
  return result.data;
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

/** Stops reading as soon as the body is larger than it may be, whatever its Content-Length says. */
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

/** An empty text counts as not given, like null. */
function withoutEmptyTexts(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value === "" ? null : value]));
}
