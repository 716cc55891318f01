import { createServer, request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAddressGuard, resolveBySystem } from "../../../processor/network/address-guard.ts";
import { startEgressProxy } from "../../../processor/network/egress-proxy.ts";
import { createHostConnections, HostBusy } from "../../../processor/network/host-connections.ts";
import { patienceOf } from "../../../processor/network/patience.ts";
import { startNetwork, type Network } from "../../../processor/network/network.ts";
import { mediaFiles } from "../../../scripts/origin/make-media.ts";
import type { Origin } from "../../../scripts/origin/serve-origin.ts";
import { startTestOrigin } from "../../origin/test-origin.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";

let origin: Origin;
let local: Network;
let deployed: Network;
let originPort: string;

beforeAll(async () => {
  origin = await startTestOrigin();
  originPort = new URL(origin.url).port;
  const toLoopback = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
  local = await startNetwork({ allowPrivateNetwork: true }, toLoopback);
  deployed = await startNetwork({ allowPrivateNetwork: false }, toLoopback);
});
afterAll(() => Promise.all([local.close(), deployed.close(), origin.close()]));

function get(network: Network, url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const { hostname, port } = new URL(network.proxyUrl);
  return new Promise((resolve, reject) => {
    request({ host: hostname, port, path: url, headers, agent: false }, resolve).on("error", reject).end();
  });
}

/** The status line of a CONNECT response, and the socket. */
function tunnel(network: Network, authority: string): Promise<{ status: string; socket: Socket }> {
  const { hostname, port } = new URL(network.proxyUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n`);
    });
    socket.once("error", reject);
    socket.once("data", (chunk: Buffer) => {
      const [status = ""] = chunk.toString().split("\r\n");
      resolve({ status, socket });
    });
  });
}

test("plain requests go through, with the range and the host requested", async () => {
  const answer = await get(local, `http://media.example:${originPort}/${mediaFiles.mp3}`, {
    range: "bytes=0-99",
  });
  expect(answer.statusCode).toBe(206);
  expect((await buffer(answer)).length).toBe(100);
});

test("a tunnel carries both directions", async () => {
  const { status, socket } = await tunnel(local, `media.example:${originPort}`);
  expect(status).toBe("HTTP/1.1 200 Connection established");
  socket.end("GET /status/204 HTTP/1.1\r\nhost: media.example\r\nconnection: close\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1.1 204/);
});

test("forbidden addresses are rejected, by name and as literals, as requests and as tunnels, and nothing reaches them", async () => {
  const before = origin.requests.length;
  for (const host of ["media.example", "127.0.0.1", "0x7f000001", "localhost", "[::ffff:127.0.0.1]"]) {
    const answer = await get(deployed, `http://${host}:${originPort}/${mediaFiles.mp3}`);
    expect([answer.statusCode, answer.statusMessage]).toEqual([470, "Address not allowed"]);
    answer.resume();
    const { status, socket } = await tunnel(deployed, `${host}:${originPort}`);
    expect(status).toBe("HTTP/1.1 470 Address not allowed");
    socket.destroy();
  }
  const { status, socket } = await tunnel(local, "169.254.169.254:80");
  expect(status).toBe("HTTP/1.1 470 Address not allowed");
  socket.destroy();
  expect(origin.requests.length).toBe(before);
});

test.each([
  "ftp://media.example/",
  "/relative",
  "http://user:pass@media.example/",
  "http://media.example:22/",
])("%s is rejected", async (url) => {
  const answer = await get(deployed, url);
  expect(answer.statusCode).toBe(470);
  answer.resume();
});

test.each(["", "nonsense", "media.example:22", "media.example:99999", "a b:80", "media.example:80/:22"])(
  "a tunnel to %j is rejected",
  async (authority) => {
    const { status, socket } = await tunnel(deployed, authority);
    expect(status).toMatch(/^HTTP\/1.1 (470|471|400) /);
    socket.destroy();
  },
);

test("an unreachable source is distinguished from one that responds", async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const port = listeningPort(closed);
  await new Promise((resolve) => closed.close(resolve));
  const answer = await get(local, `http://127.0.0.1:${port}/`);
  expect([answer.statusCode, answer.statusMessage]).toEqual([471, "Source unreachable"]);
  answer.resume();
  const { status, socket } = await tunnel(local, `127.0.0.1:${port}`);
  expect(status).toBe("HTTP/1.1 471 Source unreachable");
  socket.destroy();
});

test("a source that times out is distinguished from one that refuses the connection", async () => {
  const silence = Object.assign(new Error("nobody answers"), { code: "ETIMEDOUT" });
  const silent = await startNetwork({ allowPrivateNetwork: false }, () => Promise.reject(silence));
  const answer = await get(silent, "http://media.example/");
  expect([answer.statusCode, answer.statusMessage]).toEqual([472, "Source silent"]);
  answer.resume();
  const { status, socket } = await tunnel(silent, "media.example:443");
  expect(status).toBe("HTTP/1.1 472 Source silent");
  socket.destroy();
  await silent.close();
});

describe("programs and the node share a host's connections", () => {
  /** A guard and a proxy of their own, whose programs wait for half a second. */
  async function openProxy(connectionsPerHost: number) {
    const policy = { allowPrivateNetwork: true };
    const connections = createHostConnections(connectionsPerHost, { patience: patienceOf(60_000) });
    const proxy = await startEgressProxy(
      policy,
      createAddressGuard(policy, resolveBySystem),
      connections,
      500,
    );
    return { connections, proxy, network: { ...local, proxyUrl: proxy.url } };
  }
  const { signal } = new AbortController();

  test("tunnels and requests count until they end, and one that waited for long is granted nevertheless", async () => {
    const { connections, proxy, network } = await openProxy(2);
    const host = `127.0.0.1:${originPort}`;
    const isFull = () =>
      connections.take(host, { signal, waitMs: 0 }).then(
        (one) => one.release(),
        () => "full",
      );
    const first = await tunnel(network, host);
    expect(await isFull()).toBeUndefined();
    const second = await tunnel(network, host);
    expect(await isFull()).toBe("full");
    const third = await get(network, `${origin.url}/${mediaFiles.mp3}`);
    expect((await buffer(third)).length).toBeGreaterThan(0);
    first.socket.destroy();
    second.socket.destroy();
    await expect.poll(isFull).toBeUndefined();
    await proxy.close();
  });

  test("after a refused connection or a 429 nobody asks until the pause is over: a program is told 429", async () => {
    const { connections, proxy, network } = await openProxy(8);
    const path = `/busy/${mediaFiles.mp3}?ms=60000&retry_after=30&programs`;
    const status = async (answer: Promise<IncomingMessage>) => {
      const { statusCode } = await answer.then((one) => one.resume());
      return statusCode;
    };
    expect(await status(get(network, origin.url + path))).toBe(429);
    const before = origin.requests.length;
    expect(await status(get(network, `${origin.url}/${mediaFiles.mp3}`))).toBe(429);
    expect((await tunnel(network, `127.0.0.1:${originPort}`)).status).toMatch(/^HTTP\/1.1 429 /);
    const node = connections.take(`127.0.0.1:${originPort}`, { signal, waitMs: 0 });
    await expect(node).rejects.toBeInstanceOf(HostBusy);
    expect(origin.requests.length).toBe(before);
    await proxy.close();
  });
});

test("a source that disconnects ends the client's connection, and the proxy keeps running", async () => {
  const answer = await get(local, `${origin.url}/cut/${mediaFiles.mp3}`);
  await expect(buffer(answer)).rejects.toThrow();
  const next = await get(local, `${origin.url}/status/404`);
  expect(next.statusCode).toBe(404);
  next.resume();
});
