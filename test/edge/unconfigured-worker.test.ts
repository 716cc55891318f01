import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { errorSchema } from "../../edge/http/error-response.ts";

it("a Worker without configuration answers as safely as one that is configured", async () => {
  // Settings are cached for the life of the isolate, which has run other tests before this one.
  vi.resetModules();
  const { default: worker } = await import("../../edge/worker.ts");
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const incomplete = { ...env, STORAGE_BUCKET: "" };
  for (const path of ["/health", "/internal/heartbeat"]) {
    const request = new Request<unknown, IncomingRequestCfProperties>(`https://ferry.example${path}`);
    const response = await worker.fetch(request, incomplete, createExecutionContext());
    const body = errorSchema.parse(await response.json());
    expect([response.status, body.code]).toEqual([500, "internal_error"]);
    expect(response.headers.get("x-request-id")).toBe(body.request_id);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  }
  expect(JSON.stringify(log.mock.calls)).toContain("STORAGE_BUCKET");
});
