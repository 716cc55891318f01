import { describe, expect, it } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import type { OpenApiDocument } from "./support/parse-response.ts";
import { createTestApi } from "./support/test-api.ts";

const { send } = await createTestApi();
const { status, headers, body } = await send("GET", "/openapi.json");
const document: OpenApiDocument = JSON.parse(body);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);

const createJobBody = document.paths["/jobs"]?.["post"]?.requestBody?.content["application/json"];

describe("/openapi.json", () => {
  it("is an OpenAPI 3.1 document of this version, open to all", () => {
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(document).toMatchObject({
      openapi: "3.1.0",
      info: { title: "Ferry", version: packageFile.version },
    });
    expect(document.components.securitySchemes["apiKey"]).toMatchObject({ in: "header", name: "x-api-key" });
  });

  it("names the operations that there are", () => {
    expect(operations.map(({ name }) => name).toSorted()).toEqual([
      "get /health",
      "get /jobs/{id}",
      "get /usage",
      "post /jobs",
    ]);
  });

  it.each(operations)("describes $name", ({ path, operation }) => {
    expect(operation.summary).toMatch(/^[A-Z]/);
    expect(operation.description.length).toBeGreaterThan(20);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...operation.tags]));
    expect(operation.security).toEqual(path === "/health" ? [] : [{ apiKey: [] }]);
    for (const [code, { content }] of Object.entries(operation.responses)) {
      const { schema } = content["application/json"];
      if (Number(code) >= 400) expect(schema).toEqual({ $ref: "#/components/schemas/Error" });
      else expect(document.components.schemas[schema.$ref?.split("/").pop() ?? ""]?.example).toBeDefined();
    }
  });

  it("publishes the fields of POST /jobs in the order in which they are checked", () => {
    const schema = createJobBody?.schema;
    expect(schema).toMatchObject({ type: "object", required: ["url"], additionalProperties: false });
    expect(Object.keys(schema?.properties ?? {})).toEqual([
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

  it("publishes the examples of POST /jobs such that they are accepted", async () => {
    const { call } = await createTestApi();
    const examples = Object.values(createJobBody?.examples ?? {});
    expect(examples.length).toBeGreaterThan(0);
    for (const { value } of examples) {
      expect((await call("POST", "/jobs", { json: value })).status).toBe(200);
    }
  });
});
