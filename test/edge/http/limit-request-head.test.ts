import { expect, it } from "vitest";
import { createTestApi } from "../support/test-api.ts";

const api = await createTestApi();
const kib = 1024;
const start = "https://ferry.example/jobs?search=";

it("accepts a URL of 16 KiB, and none that is longer", async () => {
  const search = "x".repeat(16 * kib - start.length);
  expect((await api.call("GET", `/jobs?search=${search}`)).status).toBe(200);
  const { status, body } = await api.call("GET", `/jobs?search=${search}x`);
  expect([status, body.error, body.code]).toEqual([400, "Request URL too long (max 16 KiB)", "url_too_long"]);
});

it("accepts headers of 32 KiB, and none that are larger", async () => {
  const { key } = api.account;
  const header = (bytes: number) => ({ "x-note": "x".repeat(bytes - "x-note".length) });
  const room = 32 * kib - "x-api-key".length - key.length;
  expect((await api.call("GET", "/usage", { headers: header(room) })).status).toBe(200);
  const { status, body } = await api.call("GET", "/usage", { headers: header(room + 1) });
  expect([status, body.error, body.code]).toEqual([
    400,
    "Request headers too large (max 32 KiB)",
    "headers_too_large",
  ]);
});
