import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { heartbeatSchema } from "../../contracts/heartbeat.ts";
import { internalPaths } from "../../contracts/signed-message.ts";

export interface EdgeStandIn {
  readonly url: string;
  /** Whether a heartbeat has arrived. */
  hasHeard(): boolean;
  close(): Promise<void>;
}

/** Accepts the heartbeats of an idle node. */
export async function startEdgeStandIn(): Promise<EdgeStandIn> {
  let heard = false;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = heartbeatSchema.safeParse(await json(request));
    heard ||= request.url === internalPaths.heartbeat && body.success;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ cancel: [] }));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    hasHeard: () => heard,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
