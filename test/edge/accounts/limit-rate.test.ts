import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createTestAccount, createTestApi } from "../support/test-api.ts";

/** Three requests in ten seconds, counted by the platform's rate limiter; see vitest.config.ts. */
const { TEST_RATE_LIMIT: keyRateLimit } = env;

describe("a rate limit per key", () => {
  it("is off by default", async () => {
    const { call, dependencies } = await createTestApi();
    expect(dependencies.keyRateLimit).toBeNull();
    for (let sent = 0; sent < 10; sent++) expect((await call("GET", "/usage")).status).toBe(200);
  });

  it("answers 429 with a Retry-After once exceeded, and does not affect other keys", async () => {
    const { call, send, dependencies } = await createTestApi({ keyRateLimit });
    const answers = [];
    // A new period may start in between: of seven requests, one is too many in either period.
    for (let sent = 0; sent < 7; sent++) answers.push(await call("GET", "/usage"));
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused?.status).toBe(429);
    expect(refused?.body).toMatchObject({
      error: "Too many requests, try again in 10 seconds",
      code: "too_many_requests",
    });
    expect(refused?.headers.get("retry-after")).toBe("10");
    expect(refused?.headers.get("cache-control")).toBe("no-store");

    const { key } = await createTestAccount(dependencies);
    expect((await send("GET", "/usage", { headers: { "x-api-key": key } })).status).toBe(200);
  });

  it("does not count requests with an invalid key", async () => {
    const { send } = await createTestApi({ keyRateLimit });
    for (let sent = 0; sent < 10; sent++) {
      const headers = { "x-api-key": `sk_${"a".repeat(29)}` };
      expect((await send("GET", "/usage", { headers })).status).toBe(401);
    }
  });
});
