import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { listeningPort } from "../../processor/network/listening-port.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A host whose responses are decided by the test, by path without the query. */
export interface TestHost {
  readonly url: string;
  /** Requested paths so far, with their queries. */
  readonly asked: string[];
  answers: Record<string, Answer | string | Buffer>;
  close(): Promise<void>;
}

/** `port`: 0 for any free one. */
export async function startTestHost(port = 0): Promise<TestHost> {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    host.asked.push(path);
    const answer = host.answers[path.replace(/\?.*$/, "")];
    if (answer === undefined) response.writeHead(404).end("not here");
    else if (typeof answer === "string" || Buffer.isBuffer(answer)) response.end(answer);
    else Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const host: TestHost = {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    asked: [],
    answers: {},
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return host;
}

/** Sends pieces repeatedly, as fast as the reader takes them, until the connection is gone. */
export async function pour(response: ServerResponse, piece: () => string | Buffer): Promise<void> {
  function* pieces() {
    for (;;) yield piece();
  }
  await pipeline(Readable.from(pieces(), { objectMode: false }), response);
}
