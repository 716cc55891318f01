import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type D1Api, startD1Api } from "./d1-api.ts";
import { openMemoryDatabase } from "./memory-database.ts";

const token = "a-token-of-the-test";
let api: D1Api;

beforeAll(async () => {
  api = await startD1Api(await openMemoryDatabase(), token);
});
afterAll(() => api.close());

function account(...given: string[]) {
  return execa("node", ["scripts/account.ts", ...given, "--remote", "--json"], {
    preferLocal: true,
    reject: false,
    env: api.env,
  });
}

test("uses the deployed database, with the token from the environment", async () => {
  const created = await account("create", "Acme");
  expect(created.exitCode, created.stderr).toBe(0);
  const { account_id: id, api_key: apiKey } = JSON.parse(created.stdout);
  expect(apiKey).toMatch(/^sk_/);
  const listed = await account("list");
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { account_id: id, name: "Acme", key_prefixes: [apiKey.slice(0, 8)] },
  ]);
  expect(api.seen.length).toBeGreaterThan(0);
  for (const { authorization, path } of api.seen) {
    expect(authorization).toBe(`Bearer ${token}`);
    expect(path).toMatch(/^\/accounts\/account\/d1\/database\/(?:[0-9a-f-]+\/query|ferry\?)/);
  }
});
