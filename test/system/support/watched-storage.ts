import { createServer, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listeningPort } from "../../../processor/network/listening-port.ts";

/** A request that storage has carried out. */
export interface StorageRequest {
  readonly step: "create upload" | "part" | "complete" | "abort" | "other";
  /** Of a part. */
  readonly part: number | null;
  readonly uploadId: string | null;
}

export interface WatchedStorage {
  readonly url: string;
  /** In the order in which storage carried them out. */
  readonly done: readonly StorageRequest[];
  /** True: the request just carried out is never answered. */
  onDone: (request: StorageRequest) => Promise<boolean>;
  close(): Promise<void>;
}

/** A proxy to the storage at `target` that lets a test act between an operation and its response. */
export async function watchStorage(target: string): Promise<WatchedStorage> {
  const done: StorageRequest[] = [];
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const answer = await passOn(target, request, body);
    const content = await buffer(answer);
    const known = requestOf(request);
    done.push(known);
    if (await watched.onDone(known)) return void response.destroy();
    response.writeHead(answer.statusCode ?? 502, answer.headers).end(content);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const watched: WatchedStorage = {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    done,
    onDone: async () => false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return watched;
}

/** Headers stay unchanged, because signatures cover some of them. */
function passOn(target: string, request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, headers, url = "/" } = request;
    send(new URL(url, target), { method, headers }).once("response", resolve).once("error", reject).end(body);
  });
}

function requestOf({ method, url = "/" }: IncomingMessage): StorageRequest {
  const { searchParams } = new URL(url, "http://storage");
  const uploadId = searchParams.get("uploadId");
  const part = searchParams.get("partNumber");
  if (method === "POST" && searchParams.has("uploads"))
    return { step: "create upload", part: null, uploadId };
  if (uploadId === null) return { step: "other", part: null, uploadId };
  if (method === "PUT") return { step: "part", part: Number(part), uploadId };
  const step = method === "POST" ? "complete" : method === "DELETE" ? "abort" : "other";
  return { step, part: null, uploadId };
}
