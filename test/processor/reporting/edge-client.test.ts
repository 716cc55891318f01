import { afterEach, beforeEach, expect, test } from "vitest";
import { heartbeatAnswerSchema, type Heartbeat } from "../../../contracts/heartbeat.ts";
import { reportAnswerSchema } from "../../../contracts/report.ts";
import { internalPaths } from "../../../contracts/signed-message.ts";
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
