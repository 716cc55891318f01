import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { internalPaths, signatureHeader, timestampHeader } from "../../../contracts/signed-message.ts";
import { showLineSchema, type ShowLine } from "../../../contracts/show.ts";
import { createLog } from "../../../processor/log.ts";
import { describeTools } from "../../../processor/routes/health.route.ts";
import type { ReadShow } from "../../../processor/routes/shows.route.ts";
import { buildServer } from "../../../processor/server.ts";
import { secret, sign } from "../fake-edge.ts";
import { toolFacts } from "../tool-facts.ts";

let readShow: ReadShow;
let logged: Record<string, unknown>[];
let address: string;
let app: ReturnType<typeof buildServer>;

beforeEach(async () => {
  logged = [];
  app = buildServer({
    secrets: [secret],
    edgeNow: () => Date.now(),
    nodeId: "node-1",
    takeTasks: () => [],
    readShow: (request, run) => readShow(request, run),
    health: () => ({ status: "ok", jobs: 0, slots: 4, ...describeTools(toolFacts, 0) }),
    log: createLog("debug", "node", { write: (line) => void logged.push(JSON.parse(line)) }),
  });
  address = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => app.close());

const request = {
  url: "https://show.example/feed",
  account_id: "account",
  is_certain: false,
  limits: { look_ms: 1000, extraction_ms: 1000, silence_ms: 1000, feed_bytes: 1000 },
};

function post(body: unknown, signal: AbortSignal | null = null): Promise<Response> {
  const text = JSON.stringify(body);
  const timestampMs = Date.now();
  const path = `${internalPaths.shows}?id=${randomUUID()}`;
  return fetch(new URL(path, address), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-request-id": "the-request",
      [timestampHeader]: String(timestampMs),
      [signatureHeader]: sign("edge-to-node", path, timestampMs, text),
    },
    body: text,
    signal,
  });
}

const episode = (n: number): ShowLine => ({
  kind: "episode",
  url: `https://a.example/${n}.mp3`,
  title: null,
});

test("the lines of a show are sent as NDJSON", async () => {
  const asked: unknown[] = [];
  readShow = async function* (show) {
    asked.push(show);
    yield [{ kind: "is_show" }];
    yield [{ kind: "show", title: "Über", feed_url: "https://show.example/feed" }, episode(1)];
    yield [{ kind: "end", episodes: 1 }];
  };
  const response = await post(request);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  const lines = (await response.text()).trimEnd().split("\n");
  expect(lines.map((line) => showLineSchema.parse(JSON.parse(line)).kind)).toEqual([
    "is_show",
    "show",
    "episode",
    "end",
  ]);
  expect(asked).toEqual([request]);
});

test.each([{}, { url: 5, is_certain: true }, { url: "https://a.example/" }])(
  "a body that is not a request gets 400: %j",
  async (body) => {
    const response = await post(body);
    expect([response.status, await response.json()]).toEqual([400, { error: "Invalid show request" }]);
  },
);

test("an edge that reads slowly makes the node read slowly", async () => {
  let given = 0;
  let ended = false;
  readShow = async function* () {
    try {
      for (;;) {
        given += 1;
        yield Array.from({ length: 1000 }, (_, n) => episode(n));
      }
    } finally {
      ended = true;
    }
  };
  const edge = new AbortController();
  const response = await post(request, edge.signal);
  const reader = response.body?.getReader();
  await reader?.read();
  let before = -1;
  await vi.waitUntil(
    () => {
      const isPaused = given === before;
      before = given;
      return isPaused;
    },
    { interval: 100, timeout: 10_000 },
  );
  // Sockets and streams buffer the rest, at some 40 KB each.
  expect(given).toBeLessThan(500);
  edge.abort();
  await vi.waitUntil(() => ended, { timeout: 20_000 });
});

test("one account gets some of the places, and 503 beyond them, while others are still served", async () => {
  readShow = async function* (_show, run) {
    yield [{ kind: "is_show" }];
    await new Promise((_resolve, reject) =>
      run.signal.addEventListener("abort", () => reject(new Error("gone"))),
    );
  };
  const edge = new AbortController();
  const held = await Promise.all(Array.from({ length: 50 }, () => post(request, edge.signal)));
  expect(new Set(held.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await post(request)).status).toBe(503);
  expect((await post({ ...request, account_id: "other" }, edge.signal)).status).toBe(200);
  edge.abort();
  await vi.waitUntil(async () => (await post(request, AbortSignal.timeout(1000))).status === 200);
});

test("reading ends when the edge disconnects", async () => {
  let signal: AbortSignal | undefined;
  readShow = async function* (_show, run) {
    ({ signal } = run);
    yield [{ kind: "is_show" }];
    await new Promise((_resolve, reject) =>
      run.signal.addEventListener("abort", () => reject(new Error("gone"))),
    );
  };
  const edge = new AbortController();
  const response = await post(request, edge.signal);
  expect(response.status).toBe(200);
  edge.abort();
  await vi.waitUntil(() => signal?.aborted === true, { timeout: 20_000 });
  expect(logged).toEqual([]);
});

test("an error in the node breaks off the response, and is logged", async () => {
  readShow = async function* () {
    yield [{ kind: "is_show" }];
    throw new Error("a bug");
  };
  const response = await post(request);
  await expect(response.text()).rejects.toThrow();
  expect(logged).toMatchObject([
    { message: "reading a show failed", request_id: "the-request", err: { message: "a bug" } },
  ]);
});

test("one show more than the node's limit is refused, and accepted once another has ended", async () => {
  const ends: (() => void)[] = [];
  readShow = async function* () {
    yield [{ kind: "is_show" }];
    await new Promise<void>((resolve) => ends.push(resolve));
    yield [{ kind: "not_a_show" }];
  };
  const ofOneAccount = (_: unknown, n: number) => post({ ...request, account_id: `account-${n % 4}` });
  const running = await Promise.all(Array.from({ length: 200 }, ofOneAccount));
  expect(new Set(running.map(({ status }) => status))).toEqual(new Set([200]));
  const oneMore = await post(request);
  expect([oneMore.status, await oneMore.json()]).toEqual([503, { error: "Too many shows at once" }]);
  ends.shift()?.();
  await Promise.race(running.map((response) => response.text()));
  await vi.waitUntil(async () => (await post(request)).status === 200, { timeout: 20_000 });
  for (const end of ends) end();
});
