import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { execa } from "execa";
import { z } from "zod";
import { openMemoryDatabase } from "./memory-database.ts";

const token = "a-token-of-the-test";
const requestSchema = z.object({ sql: z.string() });
const seen: { authorization: string | undefined; path: string | undefined }[] = [];
let server: Server;

/** The API that wrangler asks, on a database in memory. */
beforeAll(async () => {
  const database = await openMemoryDatabase();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    seen.push({ authorization: request.headers.authorization, path: request.url });
    response.setHeader("content-type", "application/json");
    if (request.method === "GET") {
      const result = { uuid: "0b8e3b56-58ab-4a53-a5a2-4d0b0e8a52a1", name: "ferry" };
      response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
      return;
    }
    const { sql } = requestSchema.parse(await json(request));
    const statements = sql.split(/;\s*(?=[A-Z])/);
    const result = statements.map((statement) => ({
      success: true,
      results: database.prepare(statement).all(),
      meta: { duration: 1 },
    }));
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
  };
  server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

function account(...given: string[]) {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return execa("node", ["scripts/account.ts", ...given, "--remote", "--json"], {
    preferLocal: true,
    reject: false,
    env: {
      CLOUDFLARE_API_TOKEN: token,
      CLOUDFLARE_ACCOUNT_ID: "account",
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${address.port}`,
    },
  });
}

test("works on the deployed database, with the token of the environment", async () => {
  const created = await account("create", "Acme");
  expect(created.exitCode, created.stderr).toBe(0);
  const { account_id: id, api_key: apiKey } = JSON.parse(created.stdout);
  expect(apiKey).toMatch(/^sk_/);
  const listed = await account("list");
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { account_id: id, name: "Acme", key_prefixes: [apiKey.slice(0, 8)] },
  ]);
  expect(seen.length).toBeGreaterThan(0);
  for (const { authorization, path } of seen) {
    expect(authorization).toBe(`Bearer ${token}`);
    expect(path).toMatch(/^\/accounts\/account\/d1\/database\/(?:[0-9a-f-]+\/query|ferry\?)/);
  }
});
