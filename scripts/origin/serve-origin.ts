import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { openRepresentation } from "./representation.ts";
import { behaviours } from "./behaviours.ts";
import { listeningPort } from "../../processor/network/listening-port.ts";

/** One request that the origin received. */
export interface RequestRecord {
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly range: string | null;
}

export interface Origin {
  /** Without a trailing slash. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RequestRecord[];
  /** The largest number of concurrent requests. */
  mostAtOnce(): number;
  close(): Promise<void>;
}

/**
 * Serves the files of `folder` on 127.0.0.1 with Range and ETag, and the misbehaving variants of `behaviours.ts`:
 * `/cut/progressive.mp4` is `/progressive.mp4` on a connection that breaks.
 */
export async function startOrigin({ folder, port = 0 }: { folder: string; port?: number }): Promise<Origin> {
  const requests: RequestRecord[] = [];
  const memory = {
    cutPaths: new Set<string>(),
    troubled: new Map<string, number>(),
    sending: new Set<ServerResponse>(),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://origin");
    const range = request.headers.range ?? null;
    requests.push({ method: request.method ?? "GET", path: url.pathname + url.search, range });
    const path = decodeURIComponent(url.pathname);
    const [, first = "", rest = ""] = /^\/([^/]+)(?:\/(.*))?$/.exec(path) ?? [];
    const behaviour = behaviours[first];
    if (behaviour) {
      await behaviour({ request, response, rest, query: url.searchParams, folder, ...memory });
      return;
    }
    const representation = await openRepresentation({ request, response, folder, path, ranges: true });
    await representation?.sendAll();
  }

  let answering = 0;
  let mostAtOnce = 0;
  const server = createServer((request, response) => {
    answering += 1;
    mostAtOnce = Math.max(mostAtOnce, answering);
    response.once("close", () => {
      answering -= 1;
    });
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const listening = listeningPort(server);
  return {
    url: `http://127.0.0.1:${listening}`,
    requests,
    mostAtOnce: () => mostAtOnce,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
