import { readFile, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createPlaces } from "../../../processor/work/places.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";
import { mediaFiles, mediaSeconds } from "../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";
import { oldTag } from "../containers/damage.ts";
import { noPrograms, startOwnMedia, type OwnMedia } from "./own-media.ts";
import type { TestJob } from "./test-jobs.ts";

const mib = 1024 * 1024;
const copies = 130;

let media: OwnMedia;
let longBytes: Buffer;

beforeAll(async () => {
  const episode = await readFile(join(testMediaFolder, mediaFiles.mp3));
  longBytes = Buffer.concat(Array.from({ length: copies }, () => episode));
  media = await startOwnMedia((folder) => writeFile(join(folder, "long.mp3"), longBytes));
});
afterAll(() => media.close());
beforeEach(() => media.faulty.treat(() => "pass"));

/** Starts a job for an episode of about 12 MB that cannot start any program. */
const startLong = (path = "long.mp3"): TestJob => media.start(path, { tools: noPrograms });

test.for([
  [mediaFiles.mp3, null],
  [mediaFiles.mp3WithCover, null],
  [mediaFiles.mp4IndexFirst, null],
  [mediaFiles.webm, "webm"],
  [mediaFiles.mkv, "mkv"],
] as const)("%s is stored byte for byte in one request, without a program", async ([path, format]) => {
  const { jobs } = media;
  const before = jobs.origin.requests.length;
  const { jobId, link, result } = jobs.start(path, { format }, {}, noPrograms);
  const { timings } = await result;
  const [objectKey = ""] = await jobs.storedKeys(jobId);
  const { bytes } = await jobs.storage.get(objectKey);
  expect(bytes.equals(await readFile(join(testMediaFolder, path)))).toBe(true);
  expect(link.events).toEqual(["Downloading", "reserve key", "Uploading", "publish"]);
  expect(link.facts[0]).toMatchObject({ file_size: bytes.length });
  expect(link.facts[0]?.media.duration_seconds).toBeCloseTo(mediaSeconds, 0);
  expect(link.progress.at(-1)?.percent).toBe(100);
  expect(timings.mux_ms).toBe(0);
  expect(jobs.origin.requests.length - before).toBe(1);
});

test("an mp4 followed by a tag is stored byte for byte, without a program", async () => {
  const film = await readFile(join(testMediaFolder, mediaFiles.mp4IndexFirst));
  const tagged = Buffer.concat([film, oldTag]);
  await writeFile(join(media.folder, "tagged.mp4"), tagged);
  const job = media.start("tagged.mp4", { tools: noPrograms });
  await job.result;
  expect((await media.storedBytes(job)).equals(tagged)).toBe(true);
  expect(job.link.facts[0]?.media.duration_seconds).toBeCloseTo(mediaSeconds, 0);
});

test("a long file is stored in parts while it arrives", async () => {
  const job = startLong();
  await job.result;
  expect((await media.storedBytes(job)).equals(longBytes)).toBe(true);
  expect(media.faulty.requestsOf(job, "part")).toHaveLength(Math.ceil(longBytes.length / (5 * mib)));
  const events = job.link.events.filter((event) => !event.endsWith("ing"));
  expect(events).toEqual(["reserve key", "upload started", "publish"]);
  expect(job.link.facts[0]?.media.duration_seconds).toBeGreaterThan(copies * mediaSeconds);
});

test("a long file whose name turns out to be taken is read again for the next name", async () => {
  media.takeFirstName();
  const job = startLong();
  await job.result;
  expect(job.link.events.filter((event) => event === "reserve key")).toHaveLength(2);
  expect((await media.storedBytes(job)).equals(longBytes)).toBe(true);
  expect(media.faulty.requestsOf(job, "abort")).toHaveLength(1);
});

test("audio that has no sidecars needs no program, even if sidecars were requested", async () => {
  const wishes = { download_subtitles: true, download_thumbnail: true };
  const { link, result } = media.jobs.start(mediaFiles.mp3, wishes, {}, noPrograms);
  await result;
  expect(link.facts[0]).toMatchObject({ sidecars: [], media: { container: "mp3" } });
});

test("a file waiting for an upload slot does not block its source for others", async () => {
  const ended: boolean[] = [];
  const source = await serveFile((response) => {
    response.once("close", () => ended.push(true));
    response.writeHead(200, { "content-type": "audio/mpeg", "content-length": longBytes.length });
    response.end(longBytes);
  });
  const everywhere = createPlaces(8);
  const uploads = createPlaces(1);
  const leave = await uploads.enter(new AbortController().signal);
  const places = { downloads: everywhere, encodes: everywhere, uploads };
  const job = media.start(source.url, { tools: { ...noPrograms, places } });
  await expect.poll(() => ended.length).toBe(1);
  leave();
  await job.result;
  await source.close();
  expect(ended).toHaveLength(2);
  expect((await media.storedBytes(job)).equals(longBytes)).toBe(true);
});

test.for([
  ["its source breaks off every time", "cut/long.mp3", "source_error"],
  ["storage refuses a part", "long.mp3", "storage_error"],
] as const)("when %s, the job fails and its upload is aborted", async ([, path, code]) => {
  if (code === "storage_error") media.refuseSecondPart();
  const job = startLong(path);
  await expect(job.result).rejects.toMatchObject({ code });
  await media.expectNothingStored(job);
});

/** A server with one file. */
async function serveFile(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${listeningPort(server)}/long.mp3`, close };
}

/** Serves the long file; the first `cuts` connections break off, each followed by a new version of it. */
function serveChanging(cuts: number) {
  let version = 0;
  return serveFile((response) => {
    const etag = `"${version}"`;
    response.writeHead(200, { "content-type": "audio/mpeg", "content-length": longBytes.length, etag });
    if (version === cuts) {
      response.end(longBytes);
      return;
    }
    version += 1;
    response.write(longBytes.subarray(0, longBytes.length / 2), () => response.destroy());
  });
}

test.for([
  ["once is fetched again from its first byte", 1, null],
  ["time and again fails", 1000, "source_error"],
] as const)("a source that changes while it is fetched %s", async ([, cuts, code]) => {
  const source = await serveChanging(cuts);
  const job = media.start(source.url, { tools: noPrograms });
  const failure = await job.result.then(
    () => null,
    (error: unknown) => error,
  );
  await source.close();
  if (code === null) {
    expect(failure).toBeNull();
    expect((await media.storedBytes(job)).equals(longBytes)).toBe(true);
  } else {
    expect(failure).toMatchObject({ code });
    expect(await media.jobs.storedKeys(job.jobId)).toEqual([]);
  }
});

test("a job that is stopped while its file is in flight leaves nothing in storage", async () => {
  const reason = new Error("stopped by the test");
  media.faulty.treat(({ kind }) => {
    if (kind !== "part") return "pass";
    setImmediate(() => job.controller.abort(reason));
    return "hang";
  });
  const job = startLong();
  await expect(job.result).rejects.toBe(reason);
  expect(media.faulty.requestsOf(job, "abort")).toHaveLength(1);
  expect(await media.jobs.storedKeys(job.jobId)).toEqual([]);
});

test("a file that does not play to its end is checked with a decoder, and leaves nothing in storage", async () => {
  const broken = Buffer.from(longBytes);
  broken.fill(0, 6 * mib);
  await writeFile(join(media.folder, "broken.mp3"), broken);
  const job = media.start("broken.mp3");
  const ended = await job.result.then(
    () => "stored",
    (error: unknown) => error,
  );
  expect(media.faulty.requestsOf(job, "start").length).toBeGreaterThan(0);
  expect(media.faulty.requestsOf(job, "abort")[0]).toBeDefined();
  // The decoder's verdict is tested with the decoder.
  expect(await media.jobs.storedKeys(job.jobId)).toHaveLength(ended === "stored" ? 1 : 0);
});
