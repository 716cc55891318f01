import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { heartbeatSchema, type Heartbeat } from "../../../contracts/heartbeat.ts";
import type { ClaimedJob } from "../../../contracts/task.ts";
import { EdgeError } from "../../../processor/reporting/edge-client.ts";
import { startHeartbeat, type HeartbeatLoop } from "../../../processor/reporting/heartbeat.ts";

const intervalMs = 1000;
let loop: HeartbeatLoop;
let sent: { heartbeat: Heartbeat; answer(cancel?: ClaimedJob[]): void; fail(): void }[];
let cancelled: ClaimedJob[];

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  cancelled = [];
  loop = startHeartbeat({
    client: {
      post: (_path, body, answerSchema, timeoutMs) =>
        new Promise((resolve, reject) => {
          const fail = () => reject(new EdgeError("no answer", null));
          const timer = setTimeout(fail, timeoutMs);
          sent.push({
            heartbeat: heartbeatSchema.parse(body),
            answer(cancel = []) {
              clearTimeout(timer);
              resolve({ content: answerSchema.parse({ cancel }), requestId: null });
            },
            fail,
          });
        }),
      close: async () => undefined,
    },
    intervalMs,
    describe: () => ({
      node_id: "node-1",
      hostname: "host",
      address: "http://127.0.0.1:1",
      free_slots: 1,
      draining: false,
      counts: { downloading: 0, muxing: 0, uploading: 0 },
      jobs: [],
    }),
    onCancel: (claims) => void cancelled.push(...claims),
  });
});
afterEach(async () => {
  const stopped = loop.stop();
  sent.at(-1)?.answer();
  await stopped;
  vi.useRealTimers();
});

test("a heartbeat is sent at the start and once per interval, each with the next number", async () => {
  for (let beats = 1; beats <= 3; beats += 1) {
    expect(sent.map(({ heartbeat }) => heartbeat.sequence)).toEqual([0, 1, 2].slice(0, beats));
    sent.at(-1)?.answer();
    await vi.advanceTimersByTimeAsync(intervalMs);
  }
});

test("a slow heartbeat is aborted after five seconds, and no other is sent until then", async () => {
  await vi.advanceTimersByTimeAsync(4999);
  expect(sent.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent.length).toBe(2);
});

test("a failed heartbeat is followed by the next at its time", async () => {
  sent[0]?.fail();
  await vi.advanceTimersByTimeAsync(intervalMs - 1);
  expect(sent.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent.length).toBe(2);
});

test("hurrying sends the next at once, or right after the one in flight", async () => {
  loop.hurry();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.length).toBe(1);
  sent[0]?.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.length).toBe(2);
  sent[1]?.answer();
  await vi.advanceTimersByTimeAsync(intervalMs - 1);
  expect(sent.length).toBe(2);
});

test("cancelled claims in the answer are passed on", async () => {
  const job = { account_id: "a", job_id: "job-1", claim: 3 };
  sent[0]?.answer([job]);
  await vi.advanceTimersByTimeAsync(0);
  expect(cancelled).toEqual([job]);
});

test("none is sent after stopping", async () => {
  const stopped = loop.stop();
  sent[0]?.answer();
  await stopped;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.length).toBe(1);
});
