import { describe, expect, test } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { ask, createJob, errorOf, operations, published, showJob } from "./support/api.ts";
import { media, target } from "./support/target.ts";

const url = media(mediaFiles.mp3);
const json = { "content-type": "application/json" };
const nobody = "00000000-0000-7000-8000-000000000000";
const megabyte = 1024 * 1024;

describe("answers", () => {
  test("are JSON in UTF-8, with their own request id, and closed to other origins [json, request-id, no-cors]", async () => {
    const answers = [
      await ask("GET", "/usage"),
      await ask("GET", "/nothing/here"),
      await ask("GET", "/health"),
    ];
    for (const { headers } of answers) expect(headers.get("content-type")).toMatch(/^application\/json/);
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(3);
    const { headers } = await ask("GET", "/usage", { headers: { origin: "https://elsewhere.example" } });
    expect(headers.has("access-control-allow-origin")).toBe(false);
  });

  test("describe errors by sentence, code and request id, and validation errors by path [error-body, error-details]", async () => {
    const { status, headers, body } = await ask("POST", "/jobs/bulk", {
      json: { jobs: [{ url }, { url }, { url }, { url: "nonsense" }] },
    });
    expect(status).toBe(400);
    expect(Object.keys(body).toSorted()).toEqual(["code", "details", "error", "request_id"]);
    expect(body.code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(body.request_id).toBe(headers.get("x-request-id"));
    expect(body.details).toEqual([{ path: "jobs.3.url", message: "Invalid URL" }]);
  });

  test("give times in milliseconds, and ids that sort by creation [times, ids]", async () => {
    const before = Date.now() - 60_000;
    const ids = [await createJob({ url }), await createJob({ url })];
    expect(ids).toEqual(ids.toSorted());
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const { created_at: createdAt } = await showJob(ids[0] ?? "");
    expect(createdAt).toBeGreaterThan(before);
    expect(createdAt).toBeLessThan(Date.now() + 60_000);
  });

  test("have only published statuses, without 201 and 503 [statuses]", () => {
    const statuses = Object.entries(published.paths).flatMap(([path, methods]) =>
      path === "/health" ? [] : Object.values(methods).flatMap(({ responses }) => Object.keys(responses)),
    );
    const allowed = new Set(["200", "400", "401", "404", "405", "413", "415", "429", "500", "504"]);
    expect([...new Set(statuses)].filter((status) => !allowed.has(status))).toEqual([]);
  });
});

describe("the order of checks", () => {
  test("starts with the route, then the method [order-route, order-method]", async () => {
    expect(errorOf(await ask("GET", "/nothing/here", { key: null }))).toEqual([
      404,
      "Not found",
      "not_found",
    ]);
    const wrong = await ask("PUT", "/jobs", { key: null });
    expect(errorOf(wrong)).toEqual([405, "Method not allowed", "method_not_allowed"]);
    expect(wrong.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD", "POST"]);
  });

  test("continues with the key, then the id [order-key, order-id]", async () => {
    expect((await ask("GET", "/jobs/nonsense", { key: null })).status).toBe(401);
    expect(errorOf(await ask("GET", "/jobs/nonsense"))[1]).toBe("Invalid job id");
  });

  test("continues with the body: Content-Type, size, JSON, object [order-body]", async () => {
    const large = "x".repeat(megabyte + 1);
    const steps: [string, Record<string, string>][] = [
      [large, { "content-type": "text/plain" }],
      [large, json],
      ["{", json],
      ["[]", json],
      ["{}", json],
    ];
    const errors = [];
    for (const [text, headers] of steps) errors.push(errorOf(await ask("POST", "/jobs", { text, headers })));
    expect(errors).toEqual([
      [415, "Content-Type must be application/json", "unsupported_media_type"],
      [413, "Request body too large (max 1 MiB)", "body_too_large"],
      [400, "Request body is not valid JSON", "invalid_json"],
      [400, "Request body must be a JSON object", "invalid_body"],
      [400, "Missing url", "invalid_request"],
    ]);
  });

  test("ends with the fields in order, combinations, unknown fields [order-fields]", async () => {
    const wrong = {
      folder: "/",
      format: "avi",
      video_quality: 52,
      webhook_url: "x",
      audio_only: "yes",
      quality_preset: "best",
      url: "x",
      what: 1,
    };
    const { body } = await ask("POST", "/jobs", { json: wrong });
    expect(body.error).toBe("Invalid URL");
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
      "url",
      "format",
      "video_quality",
      "folder",
      "webhook_url",
      "audio_only",
      "quality_preset",
      "what",
    ]);
    const combined = await ask("POST", "/jobs", {
      json: { url, format: "webm", video_codec: "h264", what: 1 },
    });
    expect(combined.body.error).toBe("Format webm does not support video_codec h264");
  });
});

describe("requests", () => {
  test.each([null, "", "text/plain", "application/x-www-form-urlencoded"])(
    "with a body of the type %j are rejected, application/json in any spelling is accepted [content-type]",
    async (type) => {
      const text = JSON.stringify({ url });
      const headers = { "content-type": type ?? "text/plain" };
      expect((await ask("POST", "/jobs", { text, headers })).status).toBe(415);
      const spelled = { "content-type": "Application/JSON; charset=utf-8" };
      expect((await ask("POST", "/jobs", { text, headers: spelled })).status).toBe(200);
    },
  );

  test("may have 1 MiB and no more [body-size]", async () => {
    const start = `{"url":"${url}"`;
    const text = `${start}${" ".repeat(megabyte - start.length - 1)}}`;
    expect((await ask("POST", "/jobs", { text, headers: json })).status).toBe(200);
    expect((await ask("POST", "/jobs", { text: `${text} `, headers: json })).status).toBe(413);
  });

  test.each(["", "nonsense", '{"url":', "\u0000"])(
    "with the body %j are not JSON [json-syntax]",
    async (text) => {
      expect(errorOf(await ask("POST", "/jobs", { text, headers: json }))[1]).toBe(
        "Request body is not valid JSON",
      );
    },
  );

  test.each(["null", "[]", '"text"', "12", "true"])(
    "with the body %s contain no object [json-object]",
    async (text) => {
      expect(errorOf(await ask("POST", "/jobs", { text, headers: json }))[1]).toBe(
        "Request body must be a JSON object",
      );
    },
  );

  test("with an unknown field are rejected [unknown-field]", async () => {
    const { body } = await ask("POST", "/jobs", { json: { url, fromat: "mp3" } });
    expect(body).toMatchObject({ error: "Unknown field: fromat", code: "invalid_request" });
  });

  test("may send null or an empty string for omitted values [absent-values]", async () => {
    const empty = {
      format: "",
      folder: null,
      filename: "",
      webhook_url: "",
      video_quality: null,
      audio_only: null,
    };
    const { options } = await showJob(await createJob({ url, ...empty }));
    expect(options).toMatchObject({ format: "mp4", folder: null, filename: null, webhook_url: null });
    expect((await ask("POST", "/jobs", { json: { url: "" } })).body.error).toBe("Missing url");
  });

  test("may have options that do not apply [ignored-options]", async () => {
    const id = await createJob({ url, video_codec: "copy", video_quality: 30, audio_bitrate: "64k" });
    expect((await showJob(id)).options).toMatchObject({ video_codec: "copy", video_quality: 30 });
  });

  test("that need no body may omit it [no-body]", async () => {
    expect(errorOf(await ask("POST", `/jobs/${nobody}/retry`))[1]).toBe("Job not found");
    expect(errorOf(await ask("POST", `/batch/${nobody}/cancel`))[1]).toBe("Batch not found");
  });

  test("may have unknown and empty query parameters [query]", async () => {
    expect((await ask("GET", "/jobs?unknown=1&limit=&status=&search=&batch_id=")).body.limit).toBe(20);
  });
});

describe("ids", () => {
  const onJobs = operations.filter(({ path }) => path.startsWith("/jobs/{id}"));
  const onBatches = operations.filter(({ path }) => path.startsWith("/batch/{id}"));

  test.each(onJobs)("of jobs: $method $path [job-id, job-not-found]", async ({ method, path }) => {
    expect(errorOf(await ask(method, path.replace("{id}", "12")))).toEqual([
      400,
      "Invalid job id",
      "invalid_request",
    ]);
    const missing = await ask(method, path.replace("{id}", nobody));
    expect(errorOf(missing)).toEqual([404, "Job not found", "job_not_found"]);
  });

  test.each(onBatches)("of batches: $method $path [batch-id, batch-not-found]", async ({ method, path }) => {
    expect(errorOf(await ask(method, path.replace("{id}", "12")))).toEqual([
      400,
      "Invalid batch id",
      "invalid_request",
    ]);
    const missing = await ask(method, path.replace("{id}", nobody));
    expect(errorOf(missing)).toEqual([404, "Batch not found", "batch_not_found"]);
  });
});

describe("pages without a key", () => {
  test("are the root, the documentation, its document and the health check [open-pages, swagger, openapi]", async () => {
    const root = await ask("GET", "/", { key: null });
    expect([root.status, root.headers.get("location")]).toEqual([302, "/dashboard"]);
    const page = await ask("GET", "/swagger", { key: null });
    expect(page.status).toBe(200);
    expect(page.body).toContain("swagger-ui");
    expect((await ask("GET", "/health", { key: null })).body).toEqual({ status: "ok" });
    expect(published.info.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(operations.length).toBeGreaterThan(20);
  });
});

describe("the key", () => {
  const guarded = operations.filter(({ path }) => path !== "/health");
  const concrete = (path: string) => path.replace("{id}", nobody);

  test.each(guarded)("is required by $method $path [key-missing, key-wrong]", async ({ method, path }) => {
    const missing = await ask(method, concrete(path), { key: null });
    expect(errorOf(missing)).toEqual([401, "Missing x-api-key header", "missing_api_key"]);
    const wrong = await ask(method, concrete(path), { key: `sk_${"x".repeat(29)}` });
    expect(errorOf(wrong)).toEqual([401, "Invalid API Key", "invalid_api_key"]);
  });

  test("counts as missing if empty, and must match exactly [key-empty, key-exact]", async () => {
    expect((await ask("GET", "/usage", { key: "" })).body.error).toBe("Missing x-api-key header");
    for (const key of [`${target.key}x`, target.key.slice(0, -1), target.key.toUpperCase(), "nonsense"]) {
      expect((await ask("GET", "/usage", { key })).body.error).toBe("Invalid API Key");
    }
  });
});
