import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { hashApiKey } from "../../../edge/accounts/api-key-hash.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const revoke = async ({ dependencies, account, clock }: TestApi) => {
  const hash = await hashApiKey(account.key);
  await dependencies.database.run(sql`UPDATE api_keys SET revoked_at = ${clock.now} WHERE hash = ${hash}`);
};
const statusWith = async ({ send }: TestApi, key: string) => {
  const { status, body } = await send("GET", "/usage", { headers: { "x-api-key": key } });
  return [status, body.error];
};

describe("an API key", () => {
  it("gives access, and its responses are not cached", async () => {
    const { headers } = await (await createTestApi()).call("GET", "/usage");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("is required, and may not be empty", async () => {
    const api = await createTestApi();
    const { status, body } = await api.send("GET", "/usage");
    expect([status, body.error, body.code]).toEqual([401, "Missing x-api-key header", "missing_api_key"]);
    expect(await statusWith(api, "")).toEqual([401, "Missing x-api-key header"]);
    expect(await statusWith(api, "  ")).toEqual([401, "Missing x-api-key header"]);
  });

  it.each(["sk_wrong", "sk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "' OR 1=1 --", "x".repeat(5000)])(
    "%s is rejected as unknown",
    async (key) => {
      expect(await statusWith(await createTestApi(), key)).toEqual([401, "Invalid API Key"]);
    },
  );

  it("must match in case and length", async () => {
    const api = await createTestApi();
    const { key } = api.account;
    expect(await statusWith(api, key)).toEqual([200, undefined]);
    expect(await statusWith(api, key.toUpperCase())).toEqual([401, "Invalid API Key"]);
    expect(await statusWith(api, key.slice(0, -1))).toEqual([401, "Invalid API Key"]);
    expect(await statusWith(api, `${key}a`)).toEqual([401, "Invalid API Key"]);
  });

  it("is rejected at once after its revocation if it was not used recently", async () => {
    const api = await createTestApi();
    await revoke(api);
    expect(await statusWith(api, api.account.key)).toEqual([401, "Invalid API Key"]);
  });

  it("is rejected within a minute of its revocation if it was just used", async () => {
    const api = await createTestApi();
    expect(await statusWith(api, api.account.key)).toEqual([200, undefined]);
    await revoke(api);
    api.clock.now += 29_999;
    expect(await statusWith(api, api.account.key)).toEqual([200, undefined]);
    api.clock.now += 1;
    expect(await statusWith(api, api.account.key)).toEqual([401, "Invalid API Key"]);
  });

  it("works as soon as it exists, even if it was rejected before", async () => {
    const api = await createTestApi();
    await revoke(api);
    expect(await statusWith(api, api.account.key)).toEqual([401, "Invalid API Key"]);
    await api.dependencies.database.run(sql`UPDATE api_keys SET revoked_at = NULL`);
    expect(await statusWith(api, api.account.key)).toEqual([200, undefined]);
  });
});
