import { expect, test, vi } from "vitest";
import {
  reportRequestSchema,
  type Report,
  type ReportAnswer,
  type ReportRequest,
  type ReportResult,
} from "../../../contracts/report.ts";
import { createLog } from "../../../processor/log.ts";
import { EdgeError } from "../../../processor/reporting/edge-client.ts";
import { createReportOutbox } from "../../../processor/reporting/report-outbox.ts";
import { sampleTask } from "../sample-task.ts";
import { until } from "../test-node.ts";

interface Sent {
  readonly request: ReportRequest;
  answer(tasks?: ReportAnswer["tasks"]): void;
  fail(status: number | null, retryAfterMs?: number): void;
}

/** An outbox whose requests are answered by the test. */
function makeOutbox() {
  const sent: Sent[] = [];
  const events: string[] = [];
  const outbox = createReportOutbox({
    nodeId: "node-1",
    client: {
      post: (_path, body, answerSchema) =>
        new Promise((resolve, reject) => {
          const request = reportRequestSchema.parse(body);
          const results = request.reports.map(accepted);
          sent.push({
            request,
            answer: (tasks = []) =>
              resolve({ content: answerSchema.parse({ results, tasks }), requestId: null }),
            fail: (status, retryAfterMs = 0) => reject(new EdgeError("failed", status, { retryAfterMs })),
          });
        }),
      close: async () => undefined,
    },
    promiseSlots: (reports) => reports.length,
    onTasks: (tasks) => void events.push(`tasks ${tasks.length}`),
    onRequestOver: () => void events.push("over"),
    random: () => 0,
    log: createLog("error", "node-1", { write: () => undefined }),
  });
  const add = (name: string, signal?: AbortSignal) =>
    outbox.add(returned(name), ({ outcome }) => void events.push(`${name} ${outcome}`), signal);
  return { outbox, add, sent, events };
}

const returned = (job_id: string): Report => ({ account_id: "a", job_id, claim: 1, kind: "returned" });
const accepted = ({ job_id }: Report): ReportResult => ({ job_id, outcome: "accepted", key: null });
const names = (sent: Sent | undefined) => sent?.request.reports.map(({ job_id }) => job_id);

test("reports made at the same time are one request", async () => {
  const { add, sent } = makeOutbox();
  for (const name of ["a", "b", "c"]) add(name);
  await until(() => sent.length === 1);
  expect(names(sent[0])).toEqual(["a", "b", "c"]);
});

test("one request is in flight at a time, and the next takes everything that waited", async () => {
  const { add, sent } = makeOutbox();
  add("a");
  await until(() => sent.length === 1);
  add("b");
  add("c");
  sent[0]?.answer();
  await until(() => sent.length === 2);
  expect([names(sent[0]), names(sent[1])]).toEqual([["a"], ["b", "c"]]);
});

test("a request has up to 500 reports", async () => {
  const { add, sent } = makeOutbox();
  for (let index = 0; index < 501; index += 1) add(`job-${index}`);
  await until(() => sent.length === 1);
  sent[0]?.answer();
  await until(() => sent.length === 2);
  expect(sent.map(({ request }) => request.reports.length)).toEqual([500, 1]);
});

test("results are passed on before the tasks of the same answer, and then the request is over", async () => {
  const { outbox, add, sent, events } = makeOutbox();
  add("a");
  await until(() => sent.length === 1);
  sent[0]?.answer([sampleTask()]);
  await outbox.whenEmpty();
  expect(events).toEqual(["a accepted", "tasks 1", "over"]);
});

test.each([null, 200, 401, 409, 503])(
  "after a failure (%j) the same reports are resent with the new ones",
  async (status) => {
    const { add, sent, events } = makeOutbox();
    add("a");
    await until(() => sent.length === 1);
    add("b");
    sent[0]?.fail(status);
    await until(() => sent.length === 2);
    expect(names(sent[1])).toEqual(["a", "b"]);
    sent[1]?.answer();
    await until(() => events.length === 4);
    expect(events).toEqual(["over", "a accepted", "b accepted", "over"]);
  },
);

test("no report is sent before the edge's Retry-After has passed", async () => {
  vi.useFakeTimers();
  try {
    const { add, sent } = makeOutbox();
    add("a");
    await vi.advanceTimersByTimeAsync(0);
    sent[0]?.fail(503, 5000);
    await vi.advanceTimersByTimeAsync(4999);
    expect(sent.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent.length).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

/** Answers requests, except those with the report `bad`, of which this many fail; returns how many reports each had. */
async function answerAllBut(
  { outbox, sent }: ReturnType<typeof makeOutbox>,
  status: number,
  failures: number,
) {
  let isOver = false;
  const whenOver = outbox.whenEmpty().then(() => void (isOver = true));
  let failed = 0;
  for (let index = 0; ; index += 1) {
    await until(() => isOver || sent.length > index);
    if (sent.length <= index) break;
    if (names(sent[index])?.includes("bad") && ++failed <= failures) sent[index]?.fail(status);
    else sent[index]?.answer();
  }
  await whenOver;
  return sent.map(({ request }) => request.reports.length);
}

test.each([400, 413])(
  "a report that the edge rejects with %i delays no other, and its job is dropped",
  async (status) => {
    const made = makeOutbox();
    for (const name of ["a", "bad", "c"]) made.add(name);
    await answerAllBut(made, status, Infinity);
    expect(made.events.filter((event) => event !== "over")).toEqual([
      "a accepted",
      "bad fenced",
      "c accepted",
    ]);
  },
);

test("a report that makes the edge fail delays no other, and is retried after them", async () => {
  const made = makeOutbox();
  for (const name of ["bad", "b", "c"]) made.add(name);
  await answerAllBut(made, 500, 3);
  expect(made.events.filter((event) => event !== "over")).toEqual([
    "b accepted",
    "c accepted",
    "bad accepted",
  ]);
});

test("reports are batched again, twice as many each time, once the edge accepts them", async () => {
  const made = makeOutbox();
  for (const name of ["bad", "b", "c", "d", "e", "f", "g"]) made.add(name);
  expect(await answerAllBut(made, 500, 1)).toEqual([7, 1, 2, 4]);
});

test("a report whose job was aborted is not resent", async () => {
  const { outbox, add, sent, events } = makeOutbox();
  const job = new AbortController();
  add("a", job.signal);
  await until(() => sent.length === 1);
  job.abort();
  add("b");
  sent[0]?.fail(null);
  await until(() => sent.length === 2);
  sent[1]?.answer();
  await outbox.whenEmpty();
  expect([names(sent[1]), events]).toEqual([["b"], ["over", "b accepted", "over"]]);
});

test("a stopped outbox sends nothing more", async () => {
  const { outbox, add, sent } = makeOutbox();
  add("a");
  await until(() => sent.length === 1);
  outbox.stop();
  sent[0]?.fail(null);
  await outbox.whenEmpty();
  expect(sent.length).toBe(1);
});
