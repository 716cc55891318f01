import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { listeningPort } from "../../processor/network/listening-port.ts";
import type { Luck } from "./luck.ts";

/** What a fault proxy does to some of the requests. */
const messageFaults = ["request lost", "answer lost", "sent twice", "answered 503", "late"] as const;
type MessageFault = (typeof messageFaults)[number];

export interface FaultProxy {
  readonly url: string;
  /** The share of requests that are affected; 0 at first. */
  faultShare: number;
  close(): Promise<void>;
}

/** The longest delay of a late request. */
const lateMs = 3000;

/** Forwards requests to `target`, some of them badly; calls `onFault` for each of those. */
export async function startFaultProxy(
  target: string,
  luck: Luck,
  onFault: (fault: MessageFault) => void,
): Promise<FaultProxy> {
  const server = createServer((request, response) => {
    // A target that is down, and a sender that is gone, are faults like any other.
    handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const fault = luck.chance(proxy.faultShare) ? luck.oneOf(messageFaults) : null;
    if (fault !== null) onFault(fault);
    if (fault === "request lost") return void response.destroy();
    if (fault === "answered 503") return void response.writeHead(503).end();
    if (fault === "late") await sleep(luck.between(0, lateMs));
    if (fault === "sent twice") (await passOn(target, request, body)).resume();
    const answer = await passOn(target, request, body);
    if (fault === "answer lost") {
      answer.resume();
      return void response.destroy();
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
  }

  const proxy: FaultProxy = {
    url: "",
    faultShare: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return Object.assign(proxy, { url: `http://127.0.0.1:${listeningPort(server)}` });
}

/** Headers are forwarded unchanged, since some are signed. */
function passOn(target: string, request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, headers, url = "/" } = request;
    send(new URL(url, target), { method, headers: { ...headers, "content-length": body.length } })
      .once("response", resolve)
      .once("error", reject)
      .end(body);
  });
}
