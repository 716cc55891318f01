import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import {
  internalPaths,
  readSignatures,
  signatureHeader,
  timestampHeader,
} from "../../contracts/signed-message.ts";
import { urlMaxCharacters } from "../../contracts/limits.ts";
import { subtitlesMax } from "../../contracts/sidecar-key.ts";
import { type ArrivedTask, type Task, tasksPerRequestMax } from "../../contracts/task.ts";
import { createLog } from "../../processor/log.ts";
import { isAnswerSignedWith } from "../../processor/message-signature.ts";
import { describeTools, type Health } from "../../processor/routes/health.route.ts";
import { buildServer } from "../../processor/server.ts";
import { secret, sign } from "./fake-edge.ts";
import { sampleTask } from "./sample-task.ts";
import { toolFacts } from "./tool-facts.ts";

const edgeNowMs = 1_800_000_000_000;
const minuteMs = 60_000;

const tools = describeTools(toolFacts, Date.UTC(2026, 10, 22));

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
    health: () => ({ status, jobs: 0, slots: 4, ...tools }),
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

test("an answer is signed for its request, with its status, and one to an unsigned request is not", async () => {
  for (const content of [JSON.stringify({ tasks: [sampleTask()] }), "{"]) {
    const response = await serverWith([]).inject(signed(content));
    const answer = {
      request: {
        direction: "edge-to-node",
        method: "POST",
        path: internalPaths.tasks,
        timestampMs: edgeNowMs,
        body: Buffer.from(content),
      },
      status: response.statusCode,
      body: response.rawPayload,
    } as const;
    const signatures = readSignatures(response.headers[signatureHeader]?.toString());
    expect(isAnswerSignedWith([secret], answer, signatures)).toBe(true);
    expect(isAnswerSignedWith([secret], { ...answer, status: 299 }, signatures)).toBe(false);
  }
  const refused = await serverWith([]).inject(signed("{}", { signature: "ab".repeat(32) }));
  expect(refused.headers[signatureHeader]).toBeUndefined();
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

test("the longest possible tasks are accepted, and longer bodies are not read", async () => {
  const taken: ArrivedTask[] = [];
  const long = { body: JSON.stringify({ tasks: Array(tasksPerRequestMax).fill(longestTask()) }) };
  expect((await serverWith(taken).inject(signed(long.body))).statusCode).toBe(200);
  expect(taken).toHaveLength(tasksPerRequestMax);
  expect((await serverWith().inject(signed(" ".repeat(2 ** 20 + 1)))).statusCode).toBe(413);
});

function longestTask(): Task {
  const key = (n: number) => `${"ü".repeat(500)}.${n}.vtt`;
  const sidecars = Array.from({ length: subtitlesMax + 1 }, (_, n) => {
    return { kind: "subtitle" as const, language: "l".repeat(35), storage_key: key(n), bytes: 1e6 };
  });
  const media = {
    container: "mp4",
    duration_seconds: 1,
    width: 1,
    height: 1,
    video_codec: "h264",
    audio_codec: "aac",
    bitrate_bps: 1,
  };
  const facts = { file_size: 1, media, sidecars, preferred_subtitle: key(0) };
  const earlier = { storage_key: key(0), object_key: key(0), upload_id: "u".repeat(2000), facts };
  return sampleTask({ url: `http://a.example/${"ü".repeat(urlMaxCharacters)}`, earlier });
}

test("an unknown internal path is a 404 only for signed requests", async () => {
  const path = "/internal/unknown";
  const response = await serverWith().inject(
    signed("", { path, signature: sign("edge-to-node", path, edgeNowMs, "") }),
  );
  expect(response.statusCode).toBe(404);
});

const sockets: Socket[] = [];
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

/** Sends the head of a request whose body never arrives, and waits for the first line of a response. */
async function sendHead(
  port: number,
  signature: string,
  ...more: string[]
): Promise<{ socket: Socket; line: string | undefined }> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  const head = [
    `POST ${internalPaths.tasks} HTTP/1.1`,
    "host: node",
    "content-type: application/json",
    "content-length: 1000",
    `${timestampHeader}: ${edgeNowMs}`,
    `${signatureHeader}: ${signature}`,
    ...more,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const [answer]: unknown[] = await once(socket, "data");
  return { socket, line: String(answer).split("\r\n")[0] };
}

async function listening(): Promise<{
  server: ReturnType<typeof buildServer>;
  address: string;
  port: number;
}> {
  const server = serverWith();
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  return { server, address, port: Number(new URL(address).port) };
}

test("a request with invalid headers is rejected before its body has arrived", async () => {
  const { server, port } = await listening();
  expect((await sendHead(port, "not hex")).line).toBe("HTTP/1.1 401 Unauthorized");
  await server.close();
});

test("too many unfinished bodies end the oldest request, and the edge is still served", async () => {
  const { server, address, port } = await listening();
  const send = () => sendHead(port, "ab".repeat(32), "expect: 100-continue");
  const first = await send();
  const ended = once(first.socket, "close");
  for (let n = 1; n <= 32; n++) expect((await send()).line).toBe("HTTP/1.1 100 Continue");
  await ended;
  const { method, url, headers } = signed(body);
  expect((await fetch(new URL(url, address), { method, headers, body })).status).toBe(200);
  await server.close();
});

test("health requires no signature, and tells the age and the runtime of yt-dlp", async () => {
  const response = await serverWith().inject("/health");
  const yt_dlp = { version: "2026.11.01", age_days: 21, sealed: true, javascript_runtime: "node 24.21.0" };
  expect([response.statusCode, response.json()]).toEqual([
    200,
    { status: "ok", jobs: 0, slots: 4, yt_dlp, ffmpeg: "7.1" },
  ]);
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
