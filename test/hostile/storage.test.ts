import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAddressGuard, resolveBySystem } from "../../processor/network/address-guard.ts";
import type { Bucket } from "../../processor/upload/bucket.ts";
import { createStorage } from "../../processor/upload/open-storage.ts";
import { testPatience } from "../processor/network/test-patience.ts";
import { flood, startRawOrigin, type RawAnswer, type RawOrigin } from "./raw-origin.ts";

const guard = createAddressGuard({ allowPrivateNetwork: true }, resolveBySystem);
const silenceMs = 20_000;
const access = {
  bucket: "media",
  region: "auto",
  access_key_id: "test",
  secret_access_key: "secret-of-the-test",
  force_path_style: true,
};
/** What may be on its way when the answer is cut off: buffers of both sockets and of the kernel. */
const readMaxBytes = 16 * 1024 * 1024;
let origin: RawOrigin;
let bucket: Bucket;
const uncaught: unknown[] = [];
const keep = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  origin = await startRawOrigin();
  bucket = createStorage(guard, { silenceMs, patience: testPatience })({ ...access, endpoint: origin.url });
  process.on("uncaughtException", keep);
});
afterAll(async () => {
  process.off("uncaughtException", keep);
  await origin.close();
});

const xml = "content-type: application/xml\r\nconnection: close\r\n";
const headers = {
  ContentType: "video/mp4",
  ContentDisposition: "attachment",
  Metadata: { job: "job", claim: "1" },
};
const upload = { objectKey: "key", uploadId: "id" };

const requests: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
  look: (signal) => bucket.lookUp("key", signal),
  put: (signal) => bucket.put("key", Buffer.from("x"), headers, signal),
  start: (signal) => bucket.startUpload("key", headers, signal),
  part: (signal) => bucket.putPart(upload, 1, Buffer.from("x"), signal),
  complete: (signal) => bucket.completeUpload(upload, [{ number: 1, etag: "e" }], signal),
  abort: (signal) => bucket.abortUpload(upload, signal),
};

/** Pours until the connection is gone, and counts. */
function poured(begin: string, piece: string): { answer: RawAnswer; written: () => number } {
  let last: Socket | null = null;
  return {
    answer: (socket) => {
      last = socket;
      socket.write(begin);
      return flood(socket, piece);
    },
    written: () => last?.bytesWritten ?? 0,
  };
}

test.each([
  ["an endless answer", `HTTP/1.1 200 OK\r\n${xml}\r\n<R><UploadId>`, "a"],
  ["an endless answer of nested elements", `HTTP/1.1 200 OK\r\n${xml}\r\n`, "<R>"],
  ["an endless refusal", `HTTP/1.1 403 Forbidden\r\n${xml}\r\n<Error><Code>`, "a"],
  ["an endless failure", `HTTP/1.1 400 Bad\r\n${xml}\r\n<Error><Message>`, "a"],
  ["endless chunks", `HTTP/1.1 200 OK\r\n${xml}transfer-encoding: chunked\r\n\r\n`, "4\r\n<a/>\r\n"],
  ["endless headers", "HTTP/1.1 200 OK\r\n", "x: y\r\n"],
  ["one endless header", "HTTP/1.1 200 OK\r\nx: ", "y"],
  ["endless interim answers", "", "HTTP/1.1 102 P\r\n\r\n"],
])(
  "%s of a storage ends its request as storage_error, and is not read to the end",
  async (_, begin, piece) => {
    const { answer, written } = poured(begin, piece);
    origin.answer = answer;
    await expect(requests["start"]?.(AbortSignal.timeout(60_000))).rejects.toMatchObject({
      code: "storage_error",
    });
    expect(written()).toBeLessThan(readMaxBytes);
  },
);

test.each(Object.keys(requests))("the request %s collects no endless answer", async (name) => {
  const { answer, written } = poured(`HTTP/1.1 200 OK\r\netag: "e"\r\n${xml}\r\n`, "<a>b</a>");
  origin.answer = answer;
  await requests[name]?.(AbortSignal.timeout(60_000)).catch((error: unknown) =>
    expect(error).toMatchObject({ code: "storage_error" }),
  );
  expect(written()).toBeLessThan(readMaxBytes);
});

test("a storage whose name leads to a forbidden address is not contacted", async () => {
  origin.answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
  const before = origin.connections();
  for (const address of ["127.0.0.1", "169.254.169.254"]) {
    const resolve = () => Promise.resolve([{ address, family: 4 }]);
    const guarded = createStorage(createAddressGuard({ allowPrivateNetwork: false }, resolve))({
      ...access,
      endpoint: `http://storage.example:${new URL(origin.url).port}`,
    });
    await expect(guarded.lookUp("key", AbortSignal.timeout(60_000))).rejects.toMatchObject({
      code: "storage_error",
    });
  }
  expect(origin.connections()).toBe(before);
});

test.each([
  ["000", "HTTP/1.1 000 OK\r\n\r\n"],
  ["an upgrade", "HTTP/1.1 101 S\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
  ["no HTTP", "hello"],
  ["a control character", `HTTP/1.1 200 a\u0001b\r\nx: \u0001\r\n\r\n`],
  ["elements within elements", `HTTP/1.1 200 OK\r\n${xml}\r\n${"<a>".repeat(20_000)}`],
  ["nothing", ""],
])("a storage that answers with %s fails its own job only", async (_, answer) => {
  origin.answer = answer;
  await expect(requests["start"]?.(AbortSignal.timeout(60_000))).rejects.toMatchObject({
    code: "storage_error",
  });
  expect(uncaught).toEqual([]);
});
