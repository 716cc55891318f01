import { type Schema, Validator } from "@cfworker/json-schema";
import { expect } from "vitest";
import { type Operation, publishedDocument } from "./published-document.ts";

export interface ParsedResponse {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- checked against the published schema, which the types do not know
  readonly body: any;
}

export interface ParsedEvent {
  /** Null for a comment, which has no data either. */
  readonly id: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly data: any;
}

const errorReference = { $ref: "#/components/schemas/Error" };

/**
 * Reads a response and fails the test unless the OpenAPI document contains it for this request, with the headers that
 * every response has. If the document has no such operation, only a JSON error is accepted.
 */
export async function parseResponse(request: Request, response: Response): Promise<ParsedResponse> {
  const { status, headers } = response;
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);

  if (headers.get("content-type") === "text/event-stream") {
    expect(status).toBe(200);
    const events = readEvents(response);
    const { value } = await events.next();
    await events.return(undefined);
    return { status, headers, body: value?.data };
  }
  const text = await response.text();
  if (request.method === "HEAD") {
    expect(text).toBe("");
    return { status, headers, body: null };
  }
  const operation = operationOf(request);
  if (operation === null && status < 400) return { status, headers, body: text };

  const published = operation?.responses[status];
  if (operation !== null) expect(published, `${status} is not published`).toBeDefined();
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  const body: unknown = JSON.parse(text);
  expectValid(published?.content["application/json"].schema ?? errorReference, body);
  if (status >= 400) expect(body).toHaveProperty("request_id", headers.get("x-request-id"));
  return { status, headers, body };
}

function operationOf({ method, url }: Request): Operation | null {
  const { pathname } = new URL(url);
  for (const [path, operations] of Object.entries(publishedDocument.paths)) {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    if (pattern.test(pathname)) return operations[method.toLowerCase()] ?? null;
  }
  return null;
}

/**
 * The events of a response, each validated as it arrives; a comment has no id. Leaving the loop closes the connection.
 */
export async function* readEvents({ body }: Response): AsyncGenerator<ParsedEvent, undefined> {
  let rest = "";
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    rest += text;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      yield parseEvent(rest.slice(0, end));
      rest = rest.slice(end + 2);
    }
  }
  expect(rest, "no event is cut off").toBe("");
}

function parseEvent(text: string): ParsedEvent {
  if (text === ":") return { id: null, data: null };
  const [, id = "", json = ""] = /^id: (\d+\.\d+)\ndata: (.*)$/.exec(text) ?? [];
  const data: unknown = JSON.parse(json);
  expectValid({ $ref: "#/components/schemas/Job" }, data);
  return { id, data };
}

function expectValid(schema: object, body: unknown): void {
  const root: Schema = { ...schema, components: publishedDocument.components };
  const { valid, errors } = new Validator(root, "2020-12", false).validate(body);
  expect(valid, JSON.stringify(errors, null, 2)).toBe(true);
}
