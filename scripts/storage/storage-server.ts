import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import { listeningPort } from "../../processor/network/listening-port.ts";

export interface StorageServer {
  readonly url: string;
  /** The path of each open upload's object, and the number of parts received. */
  openUploads(): { path: string; parts: number }[];
  close(): Promise<void>;
}

interface StoredObject {
  /** Files that make it up, in order. */
  readonly files: readonly string[];
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface Upload {
  readonly path: string;
  readonly headers: StoredObject["headers"];
  readonly parts: Map<number, StoredPart>;
}

/**
 * Serves the S3 requests of an upload, as fast as a disk accepts bytes: no signature
 * is checked and nothing outlives the process. For measuring and testing clients, not for storing anything.
 */
export async function startStorageServer(folder: string): Promise<StorageServer> {
  await mkdir(folder, { recursive: true });
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Upload>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://storage");
    const uploadId = searchParams.get("uploadId");
    const upload = uploadId === null ? undefined : uploads.get(uploadId);
    const object = objects.get(pathname);
    const mayNotReplace = object !== undefined && request.headers["if-none-match"] === "*";
    const route = `${request.method} ${uploadId === null ? (searchParams.has("uploads") ? "uploads" : searchParams.has("delete") ? "list" : "object") : "upload"}`;
    switch (route) {
      case "POST uploads": {
        const id = randomUUID();
        const headers = keptHeaders(request);
        uploads.set(id, { path: pathname, headers, parts: new Map() });
        return xml(
          response,
          `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
      }
      case "PUT upload": {
        const part = await store(request);
        upload?.parts.set(Number(searchParams.get("partNumber")), part);
        return void response.writeHead(upload ? 200 : 404, { etag: part.etag }).end();
      }
      case "POST upload": {
        await text(request);
        if (upload === undefined || uploadId === null) return refuse(response, 404, "NoSuchUpload");
        if (mayNotReplace) return refuse(response, 412, "PreconditionFailed");
        const parts = [...upload.parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
        objects.set(pathname, {
          files: parts.map(({ file }) => file),
          bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
          headers: upload.headers,
        });
        uploads.delete(uploadId);
        return xml(
          response,
          `<CompleteMultipartUploadResult><ETag>"${uploadId}"</ETag></CompleteMultipartUploadResult>`,
        );
      }
      case "DELETE upload":
        if (upload === undefined || uploadId === null) return refuse(response, 404, "NoSuchUpload");
        uploads.delete(uploadId);
        for (const { file } of upload.parts.values()) await rm(file, { force: true });
        return void response.writeHead(204).end();
      case "PUT object": {
        const part = await store(request);
        if (mayNotReplace) return refuse(response, 412, "PreconditionFailed");
        objects.set(pathname, { files: [part.file], bytes: part.bytes, headers: keptHeaders(request) });
        return void response.writeHead(200, { etag: part.etag }).end();
      }
      case "POST list": {
        const bucket = pathname.replace(/\/$/, "");
        const listed = (await text(request)).replaceAll("&amp;", "&").matchAll(/<Key>([^<]*)<\/Key>/g);
        const paths = new Set(Array.from(listed, ([, key = ""]) => `${bucket}/${key}`));
        for (const [path, { files }] of objects) {
          if (!paths.has(decodeURIComponent(path))) continue;
          for (const file of files) await rm(file, { force: true });
          objects.delete(path);
        }
        return xml(response, "<DeleteResult/>");
      }
      case "DELETE object":
        for (const file of object?.files ?? []) await rm(file, { force: true });
        objects.delete(pathname);
        return void response.writeHead(204).end();
      case "HEAD object":
      case "GET object":
        if (!object) return void response.writeHead(404).end();
        response.writeHead(200, { ...object.headers, "content-length": object.bytes, etag: '"object"' });
        if (request.method === "GET")
          for (const file of object.files) await pipeline(createReadStream(file), response, { end: false });
        return void response.end();
      default:
        return refuse(response, 501, "NotImplemented");
    }
  }

  async function store(request: IncomingMessage): Promise<StoredPart> {
    const file = join(folder, randomUUID());
    const md5 = createHash("md5");
    request.on("data", (chunk: Buffer) => md5.update(chunk));
    await pipeline(request, createWriteStream(file));
    const { size: bytes } = await stat(file);
    return { file, bytes, etag: `"${md5.digest("hex")}"` };
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    openUploads: () => [...uploads.values()].map(({ path, parts }) => ({ path, parts: parts.size })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface StoredPart {
  readonly file: string;
  readonly bytes: number;
  readonly etag: string;
}

function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" &&
      (name.startsWith("x-amz-meta-") || /^content-(type|disposition)$/.test(name))
        ? [[name, value]]
        : [],
    ),
  );
}

function refuse(response: ServerResponse, status: number, code: string): void {
  xml(response, `<Error><Code>${code}</Code></Error>`, status);
}

function xml(response: ServerResponse, body: string, status = 200): void {
  response
    .writeHead(status, { "content-type": "application/xml" })
    .end(`<?xml version="1.0" encoding="UTF-8"?>${body}`);
}
