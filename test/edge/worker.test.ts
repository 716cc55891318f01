import { exports } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { parseResponse } from "./support/parse-response.ts";

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof import("../../edge/worker.ts");
    }
  }
}

async function fetchWorker(path: string, init: RequestInit = {}) {
  const request = new Request(`https://ferry.example${path}`, init);
  return parseResponse(request, await exports.default.fetch(request.clone()));
}

it("the Worker as deployed serves the public interface", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  expect((await fetchWorker("/health")).body).toEqual({ status: "ok" });
  expect((await fetchWorker("/jobs", { method: "POST" })).status).toBe(401);
  const answered = log.mock.calls
    .map(([line]) => JSON.parse(String(line)))
    .filter(({ message }) => message === "Request answered");
  expect(answered).toMatchObject([
    { path: "/health", status: 200 },
    { path: "/jobs", status: 401 },
  ]);
});
