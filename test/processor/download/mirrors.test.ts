import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerRange, formatAt, openDownloadWorkshop, type DownloadWorkshop } from "./test-format.ts";

let workshop: DownloadWorkshop;
beforeAll(async () => {
  workshop = await openDownloadWorkshop();
});
afterAll(() => workshop.close());

const film = randomBytes(3 * 1024 * 1024);
const cutBytes = 400_000;

/** A server of the film, or of something as long; what it answers 403 to after `answers` requests is gone. */
function mirror(etag: string, content = film, answers = Infinity) {
  const asked: (string | undefined)[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.headers.range);
    if (asked.length > answers) return response.writeHead(403).end();
    const ifRange = request.headers["if-range"];
    if (ifRange !== undefined && ifRange !== etag) delete request.headers.range;
    const body = answerRange(request, response, content, etag);
    // Each breaks off early.
    if (body.length <= cutBytes) return response.end(body);
    return response.write(body.subarray(0, cutBytes), () => response.destroy());
  };
  return { asked, listener };
}

/** Redirects to its mirrors in turn. */
async function behindRedirect(mirrors: readonly ReturnType<typeof mirror>[]) {
  const urls = await Promise.all(mirrors.map(({ listener }) => workshop.serve(listener)));
  let redirects = 0;
  const url = await workshop.serve((_, response) => {
    response.writeHead(302, { location: `${urls[redirects++ % urls.length]}/file` }).end();
  });
  return { url, redirects: () => redirects };
}

test("a file comes from the mirror that answered first, as long as that works", async () => {
  const mirrors = [mirror('"one"'), mirror('"two"')];
  const { url, redirects } = await behindRedirect(mirrors);
  const { content } = await workshop.fetch(...formatAt(url));
  expect(content.equals(film)).toBe(true);
  expect([redirects(), mirrors[1]?.asked.length]).toEqual([1, 0]);
});

test("a mirror that dies is replaced by another one with the same bytes, whatever that calls them", async () => {
  const mirrors = [mirror('"one"', film, 2), mirror('"two"')];
  const { url, redirects } = await behindRedirect(mirrors);
  const { content } = await workshop.fetch(...formatAt(url));
  expect(content.equals(film)).toBe(true);
  expect(redirects()).toBe(2);
});

test("servers behind one address may each call the file differently", async () => {
  const mirrors = [mirror('"one"'), mirror('"two"'), mirror('"three"')];
  let requests = 0;
  const url = await workshop.serve((request, response) => {
    mirrors[requests++ % mirrors.length]?.listener(request, response);
  });
  const { content } = await workshop.fetch(...formatAt(url));
  expect(content.equals(film)).toBe(true);
});

test("another file of the same length is never mixed with the first one", async () => {
  const other = Buffer.from(film);
  other.fill(1, cutBytes - 1000);
  const mirrors = [mirror('"one"', film, 1), mirror('"two"', other)];
  const { url } = await behindRedirect(mirrors);
  await expect(workshop.fetch(...formatAt(url))).rejects.toThrow("the source changed while it was fetched");
});
