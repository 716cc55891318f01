import { describe, expect, it } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import type { OpenApiDocument, Operation } from "./support/published-document.ts";
import { silentLog } from "./support/silent-log.ts";
import { createTestApi } from "./support/test-api.ts";

const { send } = await createTestApi();
const { status, headers, body } = await send("GET", "/openapi.json");
const document: OpenApiDocument = JSON.parse(body);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);

describe("/openapi.json", () => {
  it("is an OpenAPI 3.1 document of this version, readable without a key", () => {
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(document).toMatchObject({
      openapi: "3.1.0",
      info: { title: "Ferry", version: packageFile.version },
    });
    expect(document.components.securitySchemes["apiKey"]).toMatchObject({ in: "header", name: "x-api-key" });
    expect(operations.length).toBeGreaterThan(3);
  });

  it("gives every operation its own name", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe.each(operations)("$name", ({ path, operation }) => {
  const isOpen = path === "/health";

  it("has a summary, a description and a tag that is described", () => {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.description).toMatch(/^[A-Z].{20,}\.$/s);
    const known = document.tags.map(({ name }) => name);
    expect(operation.tags).toHaveLength(1);
    expect(known).toEqual(expect.arrayContaining([...operation.tags]));
  });

  it("says which key it requires", () => {
    expect(operation.security).toEqual(isOpen ? [] : [{ apiKey: [] }]);
  });

  it("documents its response with a named schema and an example", () => {
    const { schema } = contentOf(operation, "200");
    for (const { $ref } of schema.anyOf ?? [schema]) {
      const name = $ref?.split("/").pop() ?? "";
      expect(document.components.schemas[name]?.example).toBeDefined();
    }
  });

  it("documents every error that it can return, each with an example", () => {
    const documented = Object.keys(operation.responses).filter((code) => code !== "200");
    expect(documented).toEqual(expect.arrayContaining(errorsThatCanHappen(operation, isOpen)));
    for (const code of documented) {
      const { schema, example } = contentOf(operation, code);
      expect(schema).toEqual({ $ref: "#/components/schemas/Error" });
      expect(example).toMatchObject({ error: /./, code: /^[a-z_]+$/, request_id: /./ });
    }
  });

  it("describes its parameters", () => {
    for (const { name, description, schema } of operation.parameters ?? []) {
      expect(description ?? schema.description, name).toMatch(/^[A-Z0-9].*\.$/s);
    }
  });
});

describe("the examples of request bodies", () => {
  const withBody = operations.filter(({ operation }) => operation.requestBody?.required === true);

  it.each(withBody)("exist for $name", ({ operation }) => {
    const examples = Object.values(operation.requestBody?.content["application/json"].examples ?? {});
    expect(examples.length).toBeGreaterThan(0);
    for (const { summary } of examples) expect(summary).toMatch(/^[A-Z]/);
  });

  it("are accepted by POST /jobs, whose fields are published in the order in which they are validated", async () => {
    const { call } = await createTestApi({ log: silentLog });
    const published = document.paths["/jobs"]?.["post"]?.requestBody?.content["application/json"];
    for (const { value } of Object.values(published?.examples ?? {})) {
      // There is no node to read a show.
      expect([200, 504]).toContain((await call("POST", "/jobs", { json: value })).status);
    }
    expect(published?.schema).toMatchObject({
      type: "object",
      required: ["url"],
      additionalProperties: false,
    });
    expect(Object.keys(published?.schema.properties ?? {})).toEqual([
      "url",
      "format",
      "video_codec",
      "audio_codec",
      "audio_bitrate",
      "video_quality",
      "filename",
      "folder",
      "webhook_url",
      "audio_only",
      "download_subtitles",
      "download_thumbnail",
      "quality_preset",
    ]);
  });
});

function contentOf(operation: Operation, code: string) {
  const contents = operation.responses[code]?.content;
  const content = contents?.["text/event-stream"] ?? contents?.["application/json"];
  if (content === undefined) throw new Error(`${operation.operationId} documents no ${code}`);
  return content;
}

/** The errors that follow from an operation's form alone. */
function errorsThatCanHappen(operation: Operation, isOpen: boolean): string[] {
  return [
    "405",
    "500",
    "400",
    ...(isOpen ? [] : ["401", "429"]),
    ...((operation.parameters ?? []).some(({ in: place }) => place === "path") ? ["404"] : []),
    ...(operation.requestBody === undefined ? [] : ["413", "415"]),
  ];
}
