import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { AddressPolicy } from "../../contracts/address-rules.ts";
import type { AddressGuard } from "./address-guard.ts";
import { listeningPort } from "./listening-port.ts";
import { forwardRequest } from "./proxy-request.ts";
import { openTunnel } from "./proxy-tunnel.ts";

export interface EgressProxy {
  readonly url: string;
  close(): Promise<void>;
}

const connectionsMax = 1024;

/**
 * An HTTP proxy on 127.0.0.1 for programs: CONNECT, and plain requests in absolute form. It reaches only what the guard
 * allows, so redirects and manifests that a program follows are checked too.
 */
export async function startEgressProxy(policy: AddressPolicy, guard: AddressGuard): Promise<EgressProxy> {
  const rules = { policy, guard };
  const server = createServer({ requestTimeout: 0 });
  /** All that are open, for `close`. */
  const sockets = new Set<Duplex>();
  const remember = (socket: Duplex) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  server.maxConnections = connectionsMax;
  server.on("connection", remember);
  server.on("connect", (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    orEnd(client, () => remember(openTunnel(asked.url ?? "", client, head, rules)));
  });
  server.on("request", (asked, answer) => orEnd(answer, () => forwardRequest(asked, answer, rules)));

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const port = listeningPort(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** What a program asks for may be anything: what cannot be handled ends its connection, not the node. */
function orEnd(connection: { destroy(): unknown }, handle: () => void): void {
  try {
    handle();
  } catch {
    connection.destroy();
  }
}
