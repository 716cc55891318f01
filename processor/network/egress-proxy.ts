import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { AddressPolicy } from "../../contracts/address-rules.ts";
import type { AddressGuard } from "./address-guard.ts";
import { headersMaxBytes } from "./guarded-agent.ts";
import { HostBusy, type HostConnection, type HostConnections } from "./host-connections.ts";
import { listeningPort } from "./listening-port.ts";
import { proxyRefusals, refusalOf } from "./proxy-refusals.ts";
import { forwardRequest } from "./proxy-request.ts";
import { hostOf } from "./proxy-target.ts";
import { openTunnel, refuseTunnel } from "./proxy-tunnel.ts";
import { readRetryAfter } from "./retry-after.ts";

export interface EgressProxy {
  readonly url: string;
  close(): Promise<void>;
}

const connectionsMax = 1024;
/** A program does not know that others wait, and gives up after its own time: then it gets one connection too many. */
const programWaitMs = 20_000;

/**
 * An HTTP proxy on 127.0.0.1 for programs: CONNECT, and plain requests in absolute form. It reaches only what the guard
 * allows, so redirects and manifests that a program follows are checked too. Its connections count as the node's own,
 * and programs wait while a host rests; after `waitMs` they are told 429.
 */
export async function startEgressProxy(
  policy: AddressPolicy,
  guard: AddressGuard,
  connections: HostConnections,
  waitMs = programWaitMs,
): Promise<EgressProxy> {
  const rules = { policy, guard };
  const server = createServer({ requestTimeout: 0, maxHeaderSize: headersMaxBytes });
  /** All that are open, for `close`. */
  const sockets = new Set<Duplex>();
  const remember = (socket: Duplex) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  server.maxConnections = connectionsMax;
  server.on("connection", remember);
  /** Null: its host rests, or nobody wants it any more. */
  const turnFor = async (url: string, client: Duplex | ServerResponse): Promise<HostConnection | null> => {
    const gone = new AbortController();
    const leave = () => gone.abort();
    client.once("close", leave);
    try {
      const host = URL.canParse(url) ? hostOf(new URL(url)) : "";
      const connection = await connections.take(host, { signal: gone.signal, waitMs, isUrgent: true });
      if (!gone.signal.aborted) return connection;
      connection.release();
      return null;
    } catch (error) {
      if (gone.signal.aborted || error instanceof HostBusy) return null;
      throw error;
    } finally {
      client.off("close", leave);
    }
  };
  const tunnelInTurn = async (asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    client.on("error", () => client.destroy());
    const authority = asked.url ?? "";
    const connection = await turnFor(`https://${authority}`, client);
    if (connection === null) {
      refuseTunnel(client, proxyRefusals.resting);
      return;
    }
    try {
      remember(counted(connection, openTunnel(authority, client, head, rules), client));
    } catch (error) {
      connection.release();
      throw error;
    }
  };
  const forwardInTurn = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const connection = await turnFor(asked.url ?? "", answer);
    const { status, reason } = proxyRefusals.resting;
    if (connection === null) {
      answer.writeHead(status, reason).end();
      return;
    }
    answer.once("close", () => {
      if (answer.statusCode === proxyRefusals.unreachable.status) connection.turnedAway(0);
      connection.release();
    });
    forwardRequest(asked, answer, rules, ({ statusCode = 0, headers }) => {
      const isBusy = statusCode === 429 || statusCode === 503;
      if (isBusy) connection.turnedAway(readRetryAfter(headers["retry-after"], Date.now()) ?? 0);
      else connection.answered(statusCode === 200 || statusCode === 206);
    });
  };
  server.on("connect", (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    void orEnd(client, tunnelInTurn(asked, client, head));
  });
  server.on("request", (asked, answer) => void orEnd(answer, forwardInTurn(asked, answer)));

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

/** What goes through a tunnel is secret: only whether the host can be reached is known. */
function counted(connection: HostConnection, socket: Duplex, client: Duplex): Duplex {
  if (socket !== client) {
    socket.once("connect", () => connection.answered(true));
    socket.once("error", (error) => {
      if (refusalOf(error) === proxyRefusals.unreachable) connection.turnedAway(0);
    });
  }
  socket.once("close", () => connection.release());
  return socket;
}

/** What a program asks for may be anything: what cannot be handled ends its connection, not the node. */
async function orEnd(connection: { destroy(): unknown }, handled: Promise<void>): Promise<void> {
  try {
    await handled;
  } catch {
    connection.destroy();
  }
}
