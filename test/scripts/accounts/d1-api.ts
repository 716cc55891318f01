import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { DatabaseSync } from "node:sqlite";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { listeningPort } from "../../../processor/network/listening-port.ts";

/** The API that wrangler uses for a deployed database. */
export interface D1Api {
  /** The environment that makes a command use it instead of Cloudflare. */
  readonly env: Readonly<Record<string, string>>;
  readonly seen: { readonly authorization: string | undefined; readonly path: string | undefined }[];
  close(): void;
}

const requestSchema = z.object({ sql: z.string() });

/** Serves a database in memory, to anybody. */
export async function startD1Api(database: DatabaseSync, token: string): Promise<D1Api> {
  const seen: D1Api["seen"] = [];
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
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    env: {
      CLOUDFLARE_API_TOKEN: token,
      CLOUDFLARE_ACCOUNT_ID: "account",
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${listeningPort(server)}`,
    },
    seen,
    close: () => void server.close(),
  };
}
