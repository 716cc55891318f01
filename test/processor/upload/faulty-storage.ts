import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { StorageAccess } from "../../../contracts/storage-location.ts";

/**
 * What happens to a request: forwarded, possibly piece by piece with a pause after each, answered with a status instead,
 * its connection broken instead, forwarded with its response lost, or neither forwarded nor answered.
 */
export type Treatment =
  | "pass"
  | { readonly restMs: number }
  | { readonly status: number; readonly retryAfter?: string }
  | "refuse"
  | "lose_answer"
  | "hang";

/** The properties of a request that faults depend on. */
export interface StorageRequest {
  readonly kind: "look" | "put" | "start" | "part" | "complete" | "abort" | "other";
  readonly objectKey: string;
  /** 0 for requests other than parts. */
  readonly partNumber: number;
  readonly headers: IncomingMessage["headers"];
}

export interface FaultyStorage {
  readonly access: StorageAccess;
  /** Every request so far, oldest first. */
  readonly requests: readonly StorageRequest[];
  /** Those of one kind about a job's objects. */
  requestsOf(job: { readonly jobId: string }, kind: StorageRequest["kind"]): StorageRequest[];
  /** Called for each request from now on. */
  treat(rule: (request: StorageRequest) => Treatment): void;
  close(): Promise<void>;
}

/** A proxy to real storage that treats requests as a test says; signatures stay valid. */
export async function startFaultyStorage(real: StorageAccess): Promise<FaultyStorage> {
  const target = new URL(real.endpoint);
  const requests: StorageRequest[] = [];
  let rule: (request: StorageRequest) => Treatment = () => "pass";

  const server = createServer((incoming, outgoing) => {
    const described = describe(incoming, `${target.pathname}/${real.bucket}/`);
    requests.push(described);
    const treatment = rule(described);
    if (treatment === "hang") return;
    if (treatment === "refuse") {
      incoming.socket.destroy();
      return;
    }
    if (typeof treatment === "object" && "status" in treatment) {
      incoming.resume();
      incoming.once("end", () => outgoing.writeHead(treatment.status, pauseOf(treatment)).end());
      return;
    }
    const restMs = typeof treatment === "object" ? treatment.restMs : 0;
    passOn(incoming, outgoing, target, { losesAnswer: treatment === "lose_answer", restMs });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the storage has no port");
  return {
    access: { ...real, endpoint: `http://127.0.0.1:${address.port}${target.pathname}` },
    requests,
    requestsOf: ({ jobId }, wanted) =>
      requests.filter(({ objectKey, kind }) => objectKey.startsWith(`${jobId}/`) && kind === wanted),
    treat: (next) => {
      rule = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pauseOf({ retryAfter }: { readonly retryAfter?: string }): Record<string, string> {
  return retryAfter === undefined ? {} : { "retry-after": retryAfter };
}

function describe({ method, url = "", headers }: IncomingMessage, prefix: string): StorageRequest {
  const { pathname, searchParams } = new URL(url, "http://storage");
  const objectKey = decodeURIComponent(pathname.slice(prefix.length));
  const partNumber = Number(searchParams.get("partNumber"));
  return { kind: kindOf(method, searchParams), objectKey, partNumber, headers };
}

function kindOf(method: string | undefined, query: URLSearchParams): StorageRequest["kind"] {
  if (method === "HEAD") return "look";
  if (query.has("uploads")) return "start";
  if (!query.has("uploadId")) return method === "PUT" ? "put" : "other";
  if (method === "PUT") return "part";
  return method === "DELETE" ? "abort" : "complete";
}

function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: URL,
  { losesAnswer, restMs }: { losesAnswer: boolean; restMs: number },
): void {
  const { method, url, headers } = incoming;
  const onward = httpRequest({ host: target.hostname, port: target.port, method, path: url, headers });
  onward.once("response", (answer) => {
    if (losesAnswer) {
      answer.resume();
      answer.once("end", () => outgoing.destroy());
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.once("error", () => outgoing.destroy());
  incoming.once("close", () => {
    if (!incoming.complete) onward.destroy();
  });
  if (restMs === 0) incoming.pipe(onward);
  else pipeline(incoming, restingAfterEach(restMs), onward).catch(() => outgoing.destroy());
}

function restingAfterEach(restMs: number) {
  return async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      yield piece;
      await sleep(restMs);
    }
  };
}
