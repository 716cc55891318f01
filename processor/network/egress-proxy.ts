import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import { pipeline, type Duplex } from "node:stream";
import { sourceUrlProblem, type AddressPolicy } from "../../contracts/address-rules.ts";
import { ForbiddenAddress, type AddressGuard } from "./address-guard.ts";
import { listeningPort } from "./listening-port.ts";
import { failureOfNetworkError, SourceSilent } from "./network-failure.ts";

export interface EgressProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The proxy's refusals, in status codes that no source uses, so that a program's error message distinguishes the two.
 */
export const proxyRefusals = {
  forbidden: { status: 470, reason: "Address not allowed" },
  unreachable: { status: 471, reason: "Source unreachable" },
  silent: { status: 472, reason: "Source silent" },
} as const;
type Refusal = (typeof proxyRefusals)[keyof typeof proxyRefusals];

const connectTimeoutMs = 20_000;
const idleTimeoutMs = 120_000;
const connectionsMax = 1024;
/** Hop-by-hop headers, which are not passed on. */
const hopHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);

/**
 * An HTTP proxy on 127.0.0.1 for programs: CONNECT, and plain requests in absolute form. It reaches only what the guard
 * allows, so redirects and manifests that a program follows are checked too.
 */
export async function startEgressProxy(policy: AddressPolicy, guard: AddressGuard): Promise<EgressProxy> {
  const server = createServer({ requestTimeout: 0 });
  const sockets = new Set<Duplex>();
  const remember = (socket: Duplex) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  server.maxConnections = connectionsMax;
  server.on("connection", remember);
  server.on("connect", (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    remember(tunnel(asked.url ?? "", client, head));
  });
  server.on("request", forward);

  function tunnel(authority: string, client: Duplex, head: Buffer): Duplex {
    const refuse = (refusal: Refusal) => {
      client.end(
        `HTTP/1.1 ${refusal.status} ${refusal.reason}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      );
    };
    const url = `https://${authority}/`;
    client.on("error", () => client.destroy());
    // With a path in it, it could end in a port that was not checked.
    if (/[/?#]/.test(authority) || sourceUrlProblem(url, policy) !== null) {
      refuse(proxyRefusals.forbidden);
      return client;
    }
    const { hostname, port } = new URL(url);
    const upstream = connect({
      host: unbracketed(hostname),
      port: Number(port || 443),
      lookup: guard.lookup,
    });
    const failedToConnect = (error: Error) => refuse(refusalOf(error));
    upstream.once("error", failedToConnect);
    upstream.setTimeout(connectTimeoutMs, () => upstream.destroy(new UpstreamSilent()));
    upstream.once("connect", () => {
      upstream.off("error", failedToConnect);
      upstream.setTimeout(idleTimeoutMs);
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      const endBoth = () => {
        client.destroy();
        upstream.destroy();
      };
      pipeline(client, upstream, (error) => error && endBoth());
      pipeline(upstream, client, endBoth);
    });
    return upstream;
  }

  function forward(asked: IncomingMessage, answer: ServerResponse): void {
    const url = asked.url ?? "";
    const refuse = ({ status, reason }: Refusal) => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(status, reason).end();
    };
    if (!url.startsWith("http://") || sourceUrlProblem(url, policy) !== null) {
      refuse(proxyRefusals.forbidden);
      return;
    }
    const { hostname, port, pathname, search } = new URL(url);
    const upstream = request({
      host: unbracketed(hostname),
      port: port || 80,
      path: pathname + search,
      method: asked.method,
      headers: passedOn(asked.headers),
      lookup: guard.lookup,
      agent: false,
      timeout: idleTimeoutMs,
    });
    upstream.on("timeout", () => upstream.destroy(new UpstreamSilent()));
    upstream.on("error", (error) => refuse(refusalOf(error)));
    upstream.on("response", (got) => {
      answer.writeHead(got.statusCode ?? 502, got.statusMessage, passedOn(got.headers));
      pipeline(got, answer, () => upstream.destroy());
    });
    answer.on("close", () => upstream.destroy());
    pipeline(asked, upstream, (error) => error && refuse(proxyRefusals.unreachable));
  }

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

/** Has the error code that the system uses for a connection that nobody answers. */
class UpstreamSilent extends Error {
  readonly code = "ETIMEDOUT";
}

function refusalOf(error: Error): Refusal {
  if (error instanceof ForbiddenAddress) return proxyRefusals.forbidden;
  const isSilent = failureOfNetworkError(error) instanceof SourceSilent;
  return isSilent ? proxyRefusals.silent : proxyRefusals.unreachable;
}

/** Without the brackets of an IPv6 literal. */
function unbracketed(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.has(name)));
}
