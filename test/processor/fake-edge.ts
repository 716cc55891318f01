import { createHash, createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { heartbeatSchema, type Heartbeat } from "../../contracts/heartbeat.ts";
import {
  reportRequestSchema,
  type Report,
  type ReportRequest,
  type ReportResult,
} from "../../contracts/report.ts";
import { requestIdHeader } from "../../contracts/request-id.ts";
import {
  internalPaths,
  signatureHeader,
  textToSign,
  timestampHeader,
} from "../../contracts/signed-message.ts";
import { taskAnswerSchema, type ClaimedJob, type TaskAnswer } from "../../contracts/task.ts";

export const secret = "the secret that edge and node share in tests";

/** An edge as a node sees it: verifies and records what nodes send, and answers as the test says. */
export interface FakeEdge {
  readonly url: string;
  readonly heartbeats: Heartbeat[];
  readonly requests: ReportRequest[];
  /** Requests with an invalid signature. */
  readonly unsigned: string[];
  /** How each report is answered; by default everything is accepted. */
  answerReport: (report: Report) => ReportResult;
  /** Tasks to include in the answer to a report request. */
  tasksFor: (request: ReportRequest) => unknown[];
  /** Claims to cancel in the answers to heartbeats. */
  cancel: ClaimedJob[];
  /** Awaited before each answer. */
  beforeAnswer: (path: string) => Promise<void>;
  /** A status to answer with instead of the rest. */
  failWith: ((path: string, reports: readonly Report[]) => number | null) | null;
  /** The Retry-After header in that case. */
  retryAfter: string | undefined;
  /** How far this edge's clock is ahead of the machine's. */
  clockAheadMs: number;
  reports(): Report[];
  /** Posts tasks to a node, signed as the edge signs. */
  postTasks(address: string, tasks: readonly unknown[]): Promise<TaskAnswer>;
  close(): Promise<void>;
}

export async function startFakeEdge(): Promise<FakeEdge> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  const port = await listen(server);

  const edge: FakeEdge = {
    url: `http://127.0.0.1:${port}`,
    heartbeats: [],
    requests: [],
    unsigned: [],
    answerReport: acceptReport,
    tasksFor: () => [],
    cancel: [],
    beforeAnswer: async () => undefined,
    failWith: null,
    retryAfter: undefined,
    clockAheadMs: 0,
    reports: () => edge.requests.flatMap((request) => request.reports),
    async postTasks(address, tasks) {
      const body = JSON.stringify({ tasks });
      const timestampMs = Date.now() + edge.clockAheadMs;
      const path = `${internalPaths.tasks}?id=${randomUUID()}`;
      const response = await fetch(new URL(path, address), {
        method: "POST",
        headers: {
          "content-type": "application/json",
          [timestampHeader]: String(timestampMs),
          [signatureHeader]: sign("edge-to-node", path, timestampMs, body),
        },
        body,
      });
      return taskAnswerSchema.parse(await response.json());
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    const timestampMs = Number(request.headers[timestampHeader]);
    const isFresh = Math.abs(Date.now() + edge.clockAheadMs - timestampMs) <= 5 * 60_000;
    const isSigned = request.headers[signatureHeader] === sign("node-to-edge", path, timestampMs, body);
    response.setHeader("date", new Date(Date.now() + edge.clockAheadMs).toUTCString());
    if (!isFresh || !isSigned) {
      edge.unsigned.push(path);
      response.writeHead(401).end();
      return;
    }
    const reports = path === internalPaths.reports ? reportRequestSchema.parse(JSON.parse(body)) : null;
    const failure = edge.failWith?.(path, reports?.reports ?? []) ?? null;
    if (failure !== null) {
      response
        .writeHead(failure, edge.retryAfter === undefined ? {} : { "retry-after": edge.retryAfter })
        .end();
      return;
    }
    let answer: unknown;
    if (reports === null) {
      edge.heartbeats.push(heartbeatSchema.parse(JSON.parse(body)));
      answer = { cancel: edge.cancel };
    } else {
      edge.requests.push(reports);
      answer = { results: reports.reports.map(edge.answerReport), tasks: edge.tasksFor(reports) };
    }
    await edge.beforeAnswer(path);
    response
      .writeHead(200, { "content-type": "application/json", [requestIdHeader]: "request-1" })
      .end(JSON.stringify(answer));
  }

  return edge;
}

/** Accepts every report; a reserved key is `<title>.<extension>`. */
export function acceptReport(report: Report): ReportResult {
  const name = report.kind === "reserve_key" ? `${report.title ?? report.job_id}.${report.extension}` : null;
  const key =
    name === null ? null : { storage_key: name, object_key: `${report.account_id}/${report.job_id}/${name}` };
  return { job_id: report.job_id, outcome: "accepted", key };
}

/**
 * Signs according to the contract with its own code, so that a mistake in the node's signing does not go unnoticed.
 */
export function sign(
  direction: "edge-to-node" | "node-to-edge",
  path: string,
  timestampMs: number,
  body: string,
  key = secret,
): string {
  const bodySha256 = createHash("sha256").update(body).digest("hex");
  const text = textToSign({ direction, method: "POST", path, timestampMs, bodySha256 });
  return createHmac("sha256", key).update(text).digest("hex");
}

/** Listens on a free port of loopback and returns it. */
async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port to listen on");
  return address.port;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  return port;
}
