import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestApi } from "../support/test-api.ts";

const api = await createTestApi();
const url = "https://media.example/a.mp4";
const megabyte = 1024 * 1024;
const json = { "content-type": "application/json" };

describe("the order of checks", () => {
  it("handles unknown routes before it checks the key", async () => {
    const { status, body } = await api.send("GET", "/nothing/here");
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: "Not found", code: "not_found" });
  });

  it.each([
    ["DELETE", "/jobs", "POST, GET, HEAD"],
    ["PUT", "/usage", "GET, HEAD"],
    ["OPTIONS", "/jobs", "POST, GET, HEAD"],
    ["HEAD", "/jobs/0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f/retry", "POST"],
    ["POST", "/health", "GET, HEAD"],
    ["POST", "/openapi.json", "GET, HEAD"],
    ["PATCH", "/", "GET, HEAD"],
    ["POST", "/swagger", "GET, HEAD"],
    ["GET", "/jobs/bulk", "POST"],
    ["POST", "/jobs/not-an-id", "GET, HEAD, DELETE"],
  ])("rejects %s %s with the allowed methods, before it checks the key", async (method, path, allow) => {
    const { status, headers, body } = await api.send(method, path);
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe(allow);
    if (method !== "HEAD") expect(body).toMatchObject({ error: "Method not allowed" });
  });

  it("checks the key before the id and the body", async () => {
    expect((await api.send("GET", "/jobs/not-an-id")).body.error).toBe("Missing x-api-key header");
    expect((await api.send("POST", "/jobs", { body: "{" })).body.error).toBe("Missing x-api-key header");
  });

  it("checks the content type before the size, and the size before the JSON", async () => {
    const large = "x".repeat(megabyte + 1);
    const typed = await api.call("POST", "/jobs", { body: large, headers: { "content-type": "text/plain" } });
    expect([typed.status, typed.body.error]).toEqual([415, "Content-Type must be application/json"]);
    const sized = await api.call("POST", "/jobs", { body: large, headers: json });
    expect([sized.status, sized.body.error]).toEqual([413, "Request body too large (max 1 MiB)"]);
    const broken = await api.call("POST", "/jobs", { body: "{", headers: json });
    expect([broken.status, broken.body.error]).toEqual([400, "Request body is not valid JSON"]);
  });
});

describe("request bodies", () => {
  it.each([undefined, "", "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])(
    "are rejected with the content type %j",
    async (type) => {
      const body = new TextEncoder().encode(JSON.stringify({ url }));
      const answer = await api.call("POST", "/jobs", {
        body,
        ...(type !== undefined && { headers: { "content-type": type } }),
      });
      expect([answer.status, answer.body.code]).toEqual([415, "unsupported_media_type"]);
    },
  );

  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON ;charset=UTF-8"])(
    "are accepted with the content type %j",
    async (type) => {
      const answer = await api.call("POST", "/jobs", {
        body: JSON.stringify({ url }),
        headers: { "content-type": type },
      });
      expect(answer.status).toBe(200);
    },
  );

  it("may be exactly at the limit", async () => {
    const start = `{"url":"${url}"`;
    const body = `${start}${" ".repeat(megabyte - start.length - 1)}}`;
    expect((await api.call("POST", "/jobs", { body, headers: json })).status).toBe(200);
    expect((await api.call("POST", "/jobs", { body: `${body} `, headers: json })).status).toBe(413);
  });

  it("are measured while streaming, and not read to the end", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const answer = await api.call("POST", "/jobs", { body: endless, headers: json });
    expect(answer.status).toBe(413);
    expect(sent).toBeLessThan(2 * megabyte);
  });

  it.each([
    ["", "Request body is not valid JSON"],
    ["not json", "Request body is not valid JSON"],
    [new Uint8Array([0x22, 0xff, 0x22]), "Request body is not valid JSON"],
    ["[".repeat(500_000), "Request body is not valid JSON"],
    ["null", "Request body must be a JSON object"],
    ["[]", "Request body must be a JSON object"],
    ['"text"', "Request body must be a JSON object"],
    ["12", "Request body must be a JSON object"],
    [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "Request body must be a JSON object"],
  ])("are rejected if they are not a JSON object (%#)", async (body, error) => {
    const answer = await api.call("POST", "/jobs", { body, headers: json });
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });

  it("are rejected if missing", async () => {
    const answer = await api.call("POST", "/jobs", { headers: json });
    expect([answer.status, answer.body.error]).toEqual([400, "Request body is not valid JSON"]);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});
/** Captures error lines logged from now on and keeps them off the terminal. */
const errorLines = () => {
  const { mock } = vi.spyOn(console, "log").mockImplementation(() => undefined);
  return () => mock.calls.map(([line]): Record<string, unknown> => JSON.parse(String(line)));
};

describe("a POST that needs no body", () => {
  const paths = [
    "/jobs/0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f/retry",
    "/jobs/0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f/cancel",
    "/batch/0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f/cancel",
    "/webhooks/deliveries/0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f/redeliver",
    "/user/webhook-secret/rotate",
  ];
  const empty = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });

  it.each(paths)("may have no body, or an empty object: %s", async (path) => {
    for (const sent of [{}, { headers: json }, { body: empty() }, { body: "" }, { json: {} }]) {
      expect([200, 404]).toContain((await api.call("POST", path, sent)).status);
    }
  });

  it.each(paths)("ignores nothing that a client sends: %s", async (path) => {
    const send = async (body: BodyInit, headers: Record<string, string> = json) => {
      const answer = await api.call("POST", path, { body, headers });
      return [answer.status, answer.body.error];
    };
    const large = "x".repeat(megabyte + 1);
    expect(await send('{"format":"mkv"}')).toEqual([400, "Unknown field: format"]);
    expect(await send("[]")).toEqual([400, "Request body must be a JSON object"]);
    expect(await send("{")).toEqual([400, "Request body is not valid JSON"]);
    expect(await send(large)).toEqual([413, "Request body too large (max 1 MiB)"]);
    const plain = { "content-type": "text/plain" };
    expect(await send(large, plain)).toEqual([415, "Content-Type must be application/json"]);
  });
});

describe("internal errors", () => {
  const broken = (error: Error) =>
    createTestApi({
      database: new Proxy(api.dependencies.database, {
        get(target, name) {
          if (name === "select") throw error;
          return Reflect.get(target, name);
        },
      }),
    });

  it("answer 500 without details, which are logged under the request's id", async () => {
    const logged = errorLines();
    const { call } = await broken(new Error("no such table: secrets"));
    const { status, headers, body } = await call("GET", "/usage");
    expect(status).toBe(500);
    expect(headers.get("retry-after")).toBeNull();
    expect(body).toEqual({
      error: "Internal server error",
      code: "internal_error",
      request_id: headers.get("x-request-id"),
    });
    const ofRequest = logged().filter(({ request_id }) => request_id === body.request_id);
    expect(ofRequest).toMatchObject([{ error: "no such table: secrets" }]);
  });

  it("send Retry-After if the database is overloaded", async () => {
    errorLines();
    const { call } = await broken(new Error("Failed", { cause: new Error("D1 DB is overloaded.") }));
    const { status, headers } = await call("GET", "/usage");
    expect(status).toBe(500);
    expect(headers.get("retry-after")).toBe("5");
  });
});

describe("pages", () => {
  it("lead from the root to the dashboard", async () => {
    const { status, headers } = await api.send("GET", "/");
    expect([status, headers.get("location")]).toEqual([302, "/dashboard"]);
  });

  it("of the documentation load only from this origin and have nothing inline", async () => {
    const { status, headers, body } = await api.send("GET", "/swagger");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/html/);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    const links = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]: string[]) => link ?? "");
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      expect(link).toMatch(/^\/swagger\//);
      expect((await api.send("HEAD", link)).status).toBe(200);
    }
    expect(body).not.toMatch(/<script>|<style|style=| on\w+=/);
  });

  it("of the documentation that do not exist return a JSON error", async () => {
    expect((await api.send("GET", "/swagger/none.js")).body.error).toBe("Not found");
  });
});

describe("GET /health", () => {
  it("answers ok without a key", async () => {
    expect((await api.send("GET", "/health")).body).toEqual({ status: "ok" });
    expect((await api.send("HEAD", "/health")).status).toBe(200);
  });

  it("answers 503 if the database does not", async () => {
    errorLines();
    const { send } = await createTestApi({
      database: new Proxy(api.dependencies.database, {
        get(target, name) {
          if (name === "run") return () => Promise.reject(new Error("gone"));
          return Reflect.get(target, name);
        },
      }),
    });
    const { status, body } = await send("GET", "/health");
    expect([status, body.code]).toEqual([503, "unavailable"]);
  });
});

describe("what a client sends", () => {
  it("is not echoed at unlimited length", async () => {
    const body = JSON.stringify({ url, ["x".repeat(100_000)]: 1 });
    const answer = await api.call("POST", "/jobs", { body, headers: json });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe(`Unknown field: ${"x".repeat(100)}`);
  });
});
