import type { LookupAddress } from "node:dns";
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { failureOfNetworkError, RangeRefused } from "../../../processor/network/network-failure.ts";
import { startNetwork, type Network } from "../../../processor/network/network.ts";
import type { Origin } from "../../../scripts/origin/serve-origin.ts";
import { mediaFiles } from "../../../scripts/origin/make-media.ts";
import { startTestHost } from "../../origin/test-host.ts";
import { startTestOrigin } from "../../origin/test-origin.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";

const request = { signal: new AbortController().signal, silenceMs: 30_000 };
const local = { allowPrivateNetwork: true };
const deployed = { allowPrivateNetwork: false };
let origin: Origin;
const networks: Network[] = [];

beforeAll(async () => {
  origin = await startTestOrigin();
});
afterAll(() => origin.close());
afterEach(async () => {
  await Promise.all(networks.splice(0).map((network) => network.close()));
});

/** A network in which every name has the given addresses, one list per lookup; the last one repeats. */
async function networkWhere(policy: typeof local, ...answers: string[][]): Promise<Network> {
  let asked = 0;
  const network = await startNetwork(policy, (): Promise<LookupAddress[]> => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
  });
  networks.push(network);
  return network;
}

test("content is returned with its length, after redirects", async () => {
  const network = await networkWhere(local, []);
  const target = encodeURIComponent(`/redirect?to=/${mediaFiles.mp3}`);
  const answer = await network.open(`${origin.url}/redirect?to=${target}`, request);
  expect(answer.url).toBe(`${origin.url}/${mediaFiles.mp3}`);
  expect(answer.status).toBe(200);
  expect((await buffer(answer.body)).length).toBe(answer.length);
});

test.each([
  [404, "video_unavailable"],
  [410, "video_unavailable"],
  [401, "sign_in_required"],
  [403, "sign_in_required"],
  [429, "rate_limited"],
  [408, "connection_timeout"],
  [500, "source_error"],
  [503, "source_error"],
  [400, "unsupported_url"],
  [304, "unsupported_url"],
])("status %i fails with %s", async (status, code) => {
  const network = await networkWhere(local, []);
  await expect(network.open(`${origin.url}/status/${status}`, request)).rejects.toMatchObject({ code });
});

test.each([
  ["with a negative length", "HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n"],
  ["with a length that is not a number", "HTTP/1.1 200 OK\r\ncontent-length: long\r\n\r\n"],
  ["in another protocol", "220 files.example ready\r\n"],
])("a response %s is source_error", async (_, answer) => {
  const network = await networkWhere(local, []);
  const server = createTcpServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${listeningPort(server)}/`;
  await expect(network.open(url, request)).rejects.toMatchObject({ code: "source_error" });
  server.close();
});

test("a redirect may be as long as signatures make it, but not endless", async () => {
  const network = await networkWhere(local, []);
  const host = await startTestHost();
  const to = (length: number) => `/to?${"s".repeat(length)}`;
  host.answers["/from"] = ({ url = "" }, response) => {
    response.writeHead(302, { location: to(Number(url.split("?")[1])) }).end();
  };
  host.answers["/to"] = "here";
  for (const length of [3000, 12_000])
    expect((await network.open(`${host.url}/from?${length}`, request)).url).toBe(host.url + to(length));
  await expect(network.open(`${host.url}/from?40000`, request)).rejects.toMatchObject({
    code: "unsupported_url",
  });
  await host.close();
});

test("status 416 refuses a range only if one was requested", async () => {
  const network = await networkWhere(local, []);
  const url = `${origin.url}/status/416`;
  await expect(network.open(url, request)).rejects.toMatchObject({ code: "unsupported_url" });
  const ranged = network.open(url, { ...request, headers: { Range: "bytes=5-" } });
  await expect(ranged).rejects.toBeInstanceOf(RangeRefused);
});

test("a redirect may name its target in raw UTF-8, or in Latin-1", async () => {
  const network = await networkWhere(local, []);
  const paths: string[] = [];
  const server = createTcpServer((socket) => {
    socket
      .on("error", () => {})
      .once("data", (asked) => {
        const path = asked.toString().split(" ")[1] ?? "";
        paths.push(path);
        const bytes = Buffer.from("/fämily vidéo", path === "/" ? "utf8" : "latin1");
        const head = "HTTP/1.1 302 Found\r\ncontent-length: 0\r\nconnection: close\r\nlocation: ";
        if (paths.length > 2) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        else socket.end(Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n\r\n")]));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const answer = await network.open(`http://127.0.0.1:${listeningPort(server)}/`, request);
  await buffer(answer.body);
  expect(paths).toEqual(["/", "/f%C3%A4mily%20vid%C3%A9o", "/f%C3%A4mily%20vid%C3%A9o"]);
  server.close();
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])(
  "content encoded as %s without being requested is decoded, and cannot be resumed",
  async (name, encode) => {
    const network = await networkWhere(local, []);
    const content = Buffer.alloc(300_000, "media ");
    const encoded = encode(content);
    const server = createServer((asked, response) => {
      const range = asked.headers.range ? { "content-range": `bytes 5-9/${encoded.length}` } : {};
      const headers = { "content-encoding": name, "content-length": encoded.length, ...range };
      response.writeHead(asked.headers.range ? 206 : 200, headers).end(encoded);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${listeningPort(server)}/`;
    const answer = await network.open(url, request);
    expect(answer.length).toBeNull();
    expect((await buffer(answer.body)).equals(content)).toBe(true);
    const ranged = network.open(url, { ...request, headers: { Range: "bytes=5-" } });
    await expect(ranged).rejects.toBeInstanceOf(RangeRefused);
    server.close();
  },
);

test("content that does not decode is source_error, and an unknown encoding is unsupported", async () => {
  const network = await networkWhere(local, []);
  const server = createServer((asked, response) =>
    response.writeHead(200, { "content-encoding": asked.url?.slice(1) }).end("not encoded"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${listeningPort(server)}`;
  const answer = await network.open(`${url}/gzip`, request);
  const broken = await buffer(answer.body).catch(failureOfNetworkError);
  expect(broken).toMatchObject({ code: "source_error" });
  await expect(network.open(`${url}/compress`, request)).rejects.toMatchObject({ code: "unsupported_url" });
  server.close();
});

test("a redirect's cookies are sent back, to its own origin only", async () => {
  const network = await networkWhere(local, []);
  const seen: string[] = [];
  const server = createServer((asked, response) => {
    seen.push(asked.headers.cookie ?? "none");
    const cookies = ["k=1; Path=/; HttpOnly", "s=a=b"];
    if (seen.length === 1) response.writeHead(302, { "set-cookie": "k=0", location: "/" }).end();
    else if (seen.length === 2) response.writeHead(302, { "set-cookie": cookies, location: "/" }).end();
    else response.writeHead(302, { location: `${origin.url}/${mediaFiles.mp3}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${listeningPort(server)}/`;
  const answer = await network.open(url, { ...request, headers: { Cookie: "a=b" } });
  await buffer(answer.body);
  expect(seen).toEqual(["a=b", "a=b; k=0", "a=b; k=1; s=a=b"]);
  server.close();
});

test("an endless redirect, or one to nowhere, to another scheme or with credentials, is unsupported", async () => {
  const network = await networkWhere(local, []);
  const self = createServer((_, response) => response.writeHead(302, { location: "/again" }).end());
  await new Promise<void>((resolve) => self.listen(0, "127.0.0.1", resolve));
  const port = listeningPort(self);
  await expect(network.open(`http://127.0.0.1:${port}/`, request)).rejects.toMatchObject({
    code: "unsupported_url",
    detail: "too many redirects",
  });
  self.close();
  for (const to of [
    "http://[",
    "ftp://example.com/",
    "file:///etc/passwd",
    "http://user:pass@example.com/",
  ]) {
    const url = `${origin.url}/redirect?to=${encodeURIComponent(to)}`;
    await expect(network.open(url, request)).rejects.toMatchObject({ code: "unsupported_url" });
  }
});

test("a redirect to a forbidden address is not followed, even if the private network is allowed", async () => {
  const network = await networkWhere(local, []);
  for (const host of ["169.254.169.254", "[::ffff:a9fe:a9fe]", "0.0.0.0"]) {
    const url = `${origin.url}/redirect?to=${encodeURIComponent(`http://${host}/`)}`;
    await expect(network.open(url, request)).rejects.toMatchObject({ code: "unsupported_url" });
  }
});

test("a name that resolves to a forbidden address is not contacted", async () => {
  const before = origin.requests.length;
  const port = new URL(origin.url).port;
  for (const addresses of [["127.0.0.1"], ["::1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"]]) {
    const network = await networkWhere(deployed, addresses);
    const asking = network.open(`http://media.example:${port}/${mediaFiles.mp3}`, request);
    await expect(asking).rejects.toMatchObject({ code: "unsupported_url" });
  }
  expect(origin.requests.length).toBe(before);
});

test("a forbidden literal is not contacted, however it is written", async () => {
  const before = origin.requests.length;
  const network = await networkWhere(deployed, ["8.8.8.8"]);
  const port = new URL(origin.url).port;
  for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "localhost", "[::ffff:127.0.0.1]"]) {
    await expect(network.open(`http://${host}:${port}/`, request)).rejects.toMatchObject({
      code: "unsupported_url",
    });
  }
  expect(origin.requests.length).toBe(before);
});

test("each connection uses an address that was checked for it: a name that changes is caught", async () => {
  const network = await networkWhere(local, ["127.0.0.1"], ["169.254.169.254"]);
  const port = new URL(origin.url).port;
  const url = `http://media.example:${port}/cut/${mediaFiles.mp3}`;
  const first = await network.open(url, request);
  await expect(buffer(first.body)).rejects.toThrow();
  await expect(network.open(url, request)).rejects.toMatchObject({ code: "unsupported_url" });
});

test("a name without any address is a connection timeout, for requests and for the proxy", async () => {
  const network = await networkWhere(local, []);
  await expect(network.open("http://media.example/film.mp4", request)).rejects.toMatchObject({
    code: "connection_timeout",
  });
  const one = new Promise((resolve) => network.guard.lookup("media.example", { all: false }, resolve));
  await expect(one).resolves.toMatchObject({ code: "ENOTFOUND" });
});

test("an unknown name and a closed port are connection timeouts", async () => {
  const unknown = await startNetwork(local, () =>
    Promise.reject(Object.assign(new Error("no such host"), { code: "ENOTFOUND" })),
  );
  networks.push(unknown);
  await expect(unknown.open("http://media.example/", request)).rejects.toMatchObject({
    code: "connection_timeout",
  });
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const port = listeningPort(closed);
  await new Promise((resolve) => closed.close(resolve));
  await expect(unknown.open(`http://127.0.0.1:${port}/`, request)).rejects.toMatchObject({
    code: "connection_timeout",
  });
});

test("a source that never responds times out", async () => {
  const network = await networkWhere(local, []);
  const mute = createServer(() => {});
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const port = listeningPort(mute);
  const asking = network.open(`http://127.0.0.1:${port}/`, { ...request, silenceMs: 300 });
  await expect(asking).rejects.toMatchObject({ code: "connection_timeout" });
  mute.closeAllConnections();
  mute.close();
});

test("an abort while waiting rejects with its reason", async () => {
  const network = await networkWhere(local, []);
  const controller = new AbortController();
  const mute = createServer(() => controller.abort(new Error("cancelled")));
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const port = listeningPort(mute);
  const asking = network.open(`http://127.0.0.1:${port}/`, { ...request, signal: controller.signal });
  await expect(asking).rejects.toThrow("cancelled");
  mute.closeAllConnections();
  mute.close();
});

test("only harmless headers follow a redirect to another origin", async () => {
  const network = await networkWhere(local, []);
  const seen: Record<string, unknown>[] = [];
  const other = createServer((asked, response) => {
    const { host: _, connection: __, ...sent } = asked.headers;
    seen.push(sent);
    response.end("ok");
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const port = listeningPort(other);
  const url = `${origin.url}/redirect?to=${encodeURIComponent(`http://127.0.0.1:${port}/`)}`;
  const headers = {
    Cookie: "a=b",
    Authorization: "Bearer x",
    "X-Api-Key": "secret",
    "Proxy-Authorization": "Basic x",
    Origin: "https://page.example",
    Referer: "https://page.example/film?token=secret",
    Accept: "video/*",
    "User-Agent": "a browser",
    Range: "bytes=5-",
    "If-Range": '"tag"',
  };
  const answer = await network.open(url, { ...request, headers });
  await buffer(answer.body);
  expect(seen).toEqual([
    {
      accept: "video/*",
      "accept-encoding": "identity",
      "user-agent": "a browser",
      range: "bytes=5-",
      "if-range": '"tag"',
      referer: "https://page.example/",
    },
  ]);
  other.close();
});
