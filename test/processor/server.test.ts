import { expect, test } from "vitest";
import { internalPaths, signatureHeader, timestampHeader } from "../../contracts/signed-message.ts";
import type { ArrivedTask } from "../../contracts/task.ts";
import { createLog } from "../../processor/log.ts";
import type { Health } from "../../processor/routes/health.route.ts";
import { buildServer } from "../../processor/server.ts";
import { secret, sign } from "./fake-edge.ts";
import { sampleTask } from "./sample-task.ts";

const edgeNowMs = 1_800_000_000_000;
const minuteMs = 60_000;

function serverWith(taken: ArrivedTask[] = [], status: Health["status"] = "ok") {
  return buildServer({
    nodeId: "node-1",
    secrets: ["a newer secret that the edge does not sign with yet", secret],
    edgeNow: () => edgeNowMs,
    takeTasks(tasks) {
      taken.push(...tasks);
      return tasks.map(({ job_id, claim }) => ({ job_id, claim, accepted: true }));
    },
    readShow: async function* () {},
    health: () => ({ status, jobs: 0, slots: 4 }),
    log: createLog("error", "node-1"),
  });
}

function signed(body: string, change: { path?: string; timestampMs?: number; signature?: string } = {}) {
  const { path = internalPaths.tasks, timestampMs = edgeNowMs } = change;
  return {
    method: "POST",
    url: path,
    headers: {
      "content-type": "application/json",
      [timestampHeader]: String(timestampMs),
      [signatureHeader]: change.signature ?? sign("edge-to-node", internalPaths.tasks, timestampMs, body),
    },
    body,
  } as const;
}

test("tasks signed by the edge are accepted, each with its own result", async () => {
  const taken: ArrivedTask[] = [];
  const response = await serverWith(taken).inject(signed(JSON.stringify({ tasks: [sampleTask()] })));
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ results: [{ job_id: "job-1", claim: 1, accepted: true }] });
  expect(taken).toEqual([sampleTask()]);
});

test("tasks for this process are accepted, and those for another one at its address are refused", async () => {
  const taken: ArrivedTask[] = [];
  const sendTo = (node_id: string) =>
    serverWith(taken).inject(signed(JSON.stringify({ node_id, tasks: [sampleTask()] })));
  const refused = await sendTo("node-of-a-former-life");
  expect([refused.statusCode, refused.json()]).toEqual([
    200,
    { results: [{ job_id: "job-1", claim: 1, accepted: false }] },
  ]);
  expect(taken).toEqual([]);
  expect((await sendTo("node-1")).json()).toEqual({
    results: [{ job_id: "job-1", claim: 1, accepted: true }],
  });
  expect(taken).toEqual([sampleTask()]);
});

const body = JSON.stringify({ tasks: [sampleTask()] });
test.each([
  ["has no signature", { ...signed(body), headers: { "content-type": "application/json" } }],
  ["has another body", { ...signed(body), body: body.replace("job-1", "job-2") }],
  ["is older than the time window", signed(body, { timestampMs: edgeNowMs - 5 * minuteMs - 1 })],
  ["is later than the time window", signed(body, { timestampMs: edgeNowMs + 5 * minuteMs + 1 })],
  ["is signed with another secret", signed(body, { signature: "ab".repeat(32) })],
  ["has a malformed signature", signed(body, { signature: "not hex" })],
  ["goes to another path", signed(body, { path: `${internalPaths.tasks}?x=1` })],
  ["goes to an unknown internal path", signed(body, { path: "/internal/unknown" })],
  [
    "has the opposite direction",
    signed(body, { signature: sign("node-to-edge", internalPaths.tasks, edgeNowMs, body) }),
  ],
  ["has no body", { method: "GET", url: internalPaths.tasks }],
] as const)("an internal request that %s gets 401 and is not accepted", async (_what, request) => {
  const taken: ArrivedTask[] = [];
  const response = await serverWith(taken).inject(request);
  expect([response.statusCode, response.json()]).toEqual([401, { error: "Invalid signature" }]);
  expect(taken).toEqual([]);
});

test("a replayed message gets 401 and is not accepted, however its headers are written", async () => {
  const taken: ArrivedTask[] = [];
  const server = serverWith(taken);
  const message = signed(body);
  expect((await server.inject(message)).statusCode).toBe(200);
  const again = {
    ...message.headers,
    [timestampHeader]: `${edgeNowMs}.0`,
    [signatureHeader]: `${"ab".repeat(32)},${message.headers[signatureHeader]}`,
  };
  expect((await server.inject(message)).statusCode).toBe(401);
  expect((await server.inject({ ...message, headers: again })).statusCode).toBe(401);
  expect(taken).toHaveLength(1);
  expect((await server.inject(signed(body, { timestampMs: edgeNowMs + 1 }))).statusCode).toBe(200);
});

test("a message at the edge of the time window is accepted", async () => {
  const response = await serverWith().inject(signed(body, { timestampMs: edgeNowMs - 5 * minuteMs }));
  expect(response.statusCode).toBe(200);
});

test.each(["", "{", "[]", '{"tasks":[{}]}'])("a signed body %j without tasks gets 400", async (text) => {
  const response = await serverWith().inject(signed(text));
  expect([response.statusCode, response.json()]).toEqual([400, { error: "Invalid tasks" }]);
});

test("health requires no signature", async () => {
  const response = await serverWith().inject("/health");
  expect([response.statusCode, response.json()]).toEqual([200, { status: "ok", jobs: 0, slots: 4 }]);
});

test.each([
  ["starting", 503],
  ["ok", 200],
  ["isolated", 503],
  ["draining", 503],
] as const)("a node that is %s answers %i to the readiness check", async (status, code) => {
  const response = await serverWith([], status).inject("/ready");
  expect([response.statusCode, response.json()]).toMatchObject([code, { status }]);
});

test("an unknown path is a JSON 404", async () => {
  const response = await serverWith().inject("/nothing");
  expect([response.statusCode, response.json()]).toEqual([404, { error: "Not found" }]);
});
