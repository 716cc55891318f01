import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { heartbeatAnswerSchema, type Heartbeat } from "../../../contracts/heartbeat.ts";
import { reportAnswerSchema } from "../../../contracts/report.ts";
import { internalPaths, timestampHeader } from "../../../contracts/signed-message.ts";
import { answerSignatureHeader, type Message } from "../../../processor/message-signature.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";
import { createEdgeClient, EdgeError, type EdgeClient } from "../../../processor/reporting/edge-client.ts";
import { createEdgeClock } from "../../../processor/reporting/edge-clock.ts";
import { secret, startFakeEdge, type FakeEdge } from "../fake-edge.ts";

let edge: FakeEdge;
let client: EdgeClient;
let contact: string[];

beforeEach(async () => {
  edge = await startFakeEdge();
  contact = [];
  client = clientOf(edge.url, secret);
});
afterEach(async () => {
  await client.close();
  await edge.close();
});

function clientOf(edgeUrl: string, key: string): EdgeClient {
  return createEdgeClient({
    edgeUrl,
    secrets: [key],
    edgeClock: createEdgeClock(() => Date.now()),
    contact: {
      heard: () => void contact.push("heard"),
      missed: (reason) => void contact.push(reason),
      isIsolated: () => false,
      wasHeard: () => true,
      silentMs: () => 0,
      stop: () => undefined,
    },
    now: () => performance.now(),
  });
}

const heartbeat: Heartbeat = {
  node_id: "node-1",
  hostname: "host",
  address: "http://127.0.0.1:1",
  sequence: 0,
  free_slots: 1,
  draining: false,
  counts: { downloading: 0, muxing: 0, uploading: 0 },
  jobs: [],
};
const beat = (timeoutMs = 10_000) =>
  client.post(internalPaths.heartbeat, heartbeat, heartbeatAnswerSchema, timeoutMs);

test("a post is signed, and its answer is parsed", async () => {
  expect(await beat()).toEqual({ content: { cancel: [] }, requestId: "request-1" });
  expect([edge.heartbeats, edge.unsigned, contact]).toEqual([[heartbeat], [], ["heard"]]);
});

test("a clock an hour off is rejected once, and right from then on", async () => {
  edge.clockAheadMs = 3_600_000;
  await expect(beat()).rejects.toMatchObject({ name: "EdgeError", status: 401 });
  expect(await beat()).toEqual({ content: { cancel: [] }, requestId: "request-1" });
});

test("a wrong secret is reported in words, without the secret", async () => {
  const wrong = "another secret, with enough characters";
  client = clientOf(edge.url, wrong);
  await expect(beat()).rejects.toThrow("status 401: the secrets of edge and node differ, or their clocks do");
  expect(contact.join()).not.toContain(wrong);
});

test("a status other than 2xx is an error with that status", async () => {
  edge.failWith = () => 503;
  await expect(beat()).rejects.toMatchObject({ name: "EdgeError", status: 503 });
  expect(contact).toEqual(["status 503"]);
});

test.each([
  ["5", 5000],
  ["99", 10_000],
  ["86400", 0],
  ["soon", 0],
  [undefined, 0],
])("a Retry-After of %s means a delay of %i ms", async (said, retryAfterMs) => {
  edge.failWith = () => 503;
  edge.retryAfter = said;
  await expect(beat()).rejects.toMatchObject({ status: 503, retryAfterMs });
});

test("an edge that does not answer in time is an error without a status", async () => {
  const never = Promise.withResolvers<void>();
  edge.beforeAnswer = () => never.promise;
  await expect(beat(50)).rejects.toMatchObject({ name: "EdgeError", status: null });
  expect(contact).toEqual([expect.stringMatching(/^TimeoutError: /)]);
  never.resolve();
});

test("an edge that cannot be reached is an error that says so", async () => {
  client = clientOf("http://127.0.0.1:9", secret);
  await expect(beat()).rejects.toThrow(/ECONNREFUSED/);
});

test("an answer of another shape is an error, although the edge was heard", async () => {
  const post = client.post(internalPaths.heartbeat, heartbeat, reportAnswerSchema, 10_000);
  await expect(post).rejects.toBeInstanceOf(EdgeError);
  expect(contact).toEqual(["heard"]);
});

test("closing aborts requests in flight", async () => {
  const never = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  edge.beforeAnswer = () => {
    arrived.resolve();
    return never.promise;
  };
  const broken = expect(beat()).rejects.toBeInstanceOf(EdgeError);
  await arrived.promise;
  await client.close();
  await broken;
  never.resolve();
});

/** An edge that answers every request with this content, signed as `answer` says. */
async function signingEdge(answer: { content: object; signed: object; by: string } | null, unsigned: object) {
  let current: typeof answer = answer;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const message: Message = {
      direction: "node-to-edge",
      method: "POST",
      path: request.url ?? "",
      timestampMs: Number(request.headers[timestampHeader]),
      body: await buffer(request),
    };
    if (current === null) return response.end(JSON.stringify(unsigned));
    const signed = { request: message, status: 200, body: Buffer.from(JSON.stringify(current.signed)) };
    response.writeHead(200, answerSignatureHeader(signed, [current.by]));
    return response.end(JSON.stringify(current.content));
  };
  const server = createServer((request, response) => void respond(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const signing = clientOf(`http://127.0.0.1:${listeningPort(server)}`, secret);
  return {
    beat: () => signing.post(internalPaths.heartbeat, heartbeat, heartbeatAnswerSchema, 10_000),
    answerWith: (next: typeof answer) => (current = next),
    async close() {
      await signing.close();
      server.close();
    },
  };
}

test("an answer is believed only as the edge has signed it, and once the edge has signed one, never unsigned", async () => {
  const nothing = { cancel: [] };
  const forged = { cancel: [{ account_id: "account-1", job_id: "job-1", claim: 1 }] };
  const it = await signingEdge(null, nothing);
  try {
    expect((await it.beat()).content, "from an edge of an earlier version").toEqual(nothing);
    it.answerWith({ content: forged, signed: nothing, by: secret });
    await expect(it.beat()).rejects.toThrow("not signed with the shared secret");
    it.answerWith({ content: nothing, signed: nothing, by: "x".repeat(32) });
    await expect(it.beat()).rejects.toThrow("not signed with the shared secret");
    it.answerWith({ content: nothing, signed: nothing, by: secret });
    expect((await it.beat()).content).toEqual(nothing);
    it.answerWith(null);
    await expect(it.beat()).rejects.toThrow("not signed with the shared secret");
    expect(contact.filter((one) => one === "heard")).toHaveLength(2);
  } finally {
    await it.close();
  }
});
