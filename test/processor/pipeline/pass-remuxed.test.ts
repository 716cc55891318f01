import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createByteBudget } from "../../../processor/memory/byte-budget.ts";
import { playsFromStart, walkBoxes } from "../../../processor/containers/mp4/mp4-boxes.ts";
import { resolveBySystem } from "../../../processor/network/address-guard.ts";
import { startNetwork } from "../../../processor/network/network.ts";
import type { JobTools } from "../../../processor/pipeline/job-context.ts";
import type { Downloader } from "../../../processor/source/downloader.ts";
import { testPatience } from "../network/test-patience.ts";
import { packetsOf } from "../remux/fragmented-media.ts";
import { sampleTask } from "../sample-task.ts";
import { expectRisingPercent, noPrograms, startOwnMedia, type OwnMedia } from "./own-media.ts";
import type { TestJob } from "./test-jobs.ts";

const mib = 1024 * 1024;
const doubted = "the stream cannot be checked without a program";

let media: OwnMedia;

beforeAll(async () => {
  media = await startOwnMedia(makeFilm);
}, 60_000);
afterAll(() => media.close());
beforeEach(() => media.faulty.treat(() => "pass"));

/**
 * Twenty seconds, 18 MB: as DASH with segments of two seconds, with uneven segments, and with a manifest that
 * understates the duration.
 */
async function makeFilm(folder: string): Promise<void> {
  const run = (...args: string[]) => execa("ffmpeg", ["-nostdin", "-v", "error", ...args], { cwd: folder });
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=256x144:rate=25:duration=20"];
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=20"];
  const rate = [
    "-b:v",
    "7M",
    "-minrate",
    "7M",
    "-maxrate",
    "7M",
    "-bufsize",
    "3M",
    "-x264-params",
    "nal-hrd=cbr",
  ];
  await run(
    ...picture,
    ...sound,
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-g",
    "50",
    ...rate,
    "-c:a",
    "aac",
    "film.mp4",
  );
  const dash = async (name: string, pictureSeconds: number, soundSeconds: number) => {
    const sets = `id=0,seg_duration=${pictureSeconds},streams=v id=1,seg_duration=${soundSeconds},streams=a`;
    const names = ["-init_seg_name", `${name}-$RepresentationID$.m4s`, "-media_seg_name"];
    const segments = `${name}-$RepresentationID$-$Number%05d$.m4s`;
    await run(
      "-i",
      "film.mp4",
      "-c",
      "copy",
      "-f",
      "dash",
      "-adaptation_sets",
      sets,
      ...names,
      segments,
      `${name}.mpd`,
    );
  };
  await dash("film", 2, 2);
  await dash("uneven", 30, 3);
  const manifest = await readFile(join(folder, "film.mpd"), "utf8");
  await writeFile(join(folder, "short.mpd"), manifest.replace("PT20", "PT2"));
}

/** The same film as two files that do not state their duration, one of them with this many segments of audio. */
async function makeApart(name: string, pieces: number): Promise<void> {
  const pieceOf = (stream: number, count: number) =>
    Promise.all(
      ["", ...Array.from({ length: count }, (_, index) => `-${String(index + 1).padStart(5, "0")}`)].map(
        (piece) => readFile(join(media.folder, `film-${stream}${piece}.m4s`)),
      ),
    );
  for (const [stream, count] of [10, pieces].entries())
    await writeFile(join(media.folder, `${name}-${stream}.mp4`), Buffer.concat(await pieceOf(stream, count)));
  const representation = (stream: number, codec: string) =>
    `<AdaptationSet mimeType="${stream === 0 ? "video" : "audio"}/mp4"><Representation id="${stream}" bandwidth="1"
      codecs="${codec}"><BaseURL>${name}-${stream}.mp4</BaseURL></Representation></AdaptationSet>`;
  await writeFile(
    join(media.folder, `${name}.mpd`),
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT20S"><Period>
      ${representation(0, "avc1.42c01e")}${representation(1, "mp4a.40.2")}</Period></MPD>`,
  );
}

const start = (path: string, tools: Partial<JobTools> = noPrograms): TestJob => media.start(path, { tools });

/** Expects that the stored object can be played while downloading and has the film's packets. */
async function expectFilm(job: TestJob): Promise<void> {
  const bytes = await media.storedBytes(job);
  expect(job.link.facts.at(-1)).toMatchObject({
    file_size: bytes.length,
    media: { container: "mp4", width: 256 },
  });
  const path = join(media.folder, "stored.mp4");
  await writeFile(path, bytes);
  expect(playsFromStart(await walkBoxes(path))).toBe(true);
  expect(await contentsOf(path)).toEqual(await contentsOf(join(media.folder, "film.mp4")));
}

/** The packets of a file without their times, which differ slightly between segmentations. */
async function contentsOf(path: string): Promise<Set<string>> {
  const packets = await packetsOf(path);
  return new Set(packets.map((packet) => packet.split(" ").at(-2) ?? ""));
}

test("separate video and audio are stored as one file while they arrive, without a program", async () => {
  const job = start("film.mpd");
  const { timings } = await job.result;
  await expectFilm(job);
  expect(job.link.facts[0]?.media.duration_seconds).toBeCloseTo(20, 0);
  const events = job.link.events.filter((event) => event !== "Muxing" && event !== "Uploading");
  expect(events).toEqual(["Downloading", "reserve key", "upload started", "publish"]);
  expect(timings.download_ms).toBeGreaterThan(0);
  expect(expectRisingPercent(job)).toBe(100);
});

test.each([
  ["is left out if the others last as long as the film", "PT20.1S", true],
  ["fails the job if the film is longer than the others", "PT21.9S", false],
])("a last segment that is listed and not there %s", async (_, seconds, isComplete) => {
  const template = `<SegmentTemplate duration="2" startNumber="1" initialization="film-$RepresentationID$.m4s"
    media="film-$RepresentationID$-$Number%05d$.m4s"/>`;
  const set = (stream: number, kind: string, codec: string) =>
    `<AdaptationSet mimeType="${kind}/mp4"><Representation id="${stream}" bandwidth="1" codecs="${codec}">${template}
      </Representation></AdaptationSet>`;
  await writeFile(
    join(media.folder, "rounded.mpd"),
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="${seconds}"><Period>
      ${set(0, "video", "avc1.42c01e")}${set(1, "audio", "mp4a.40.2")}</Period></MPD>`,
  );
  const job = start("rounded.mpd", {});
  if (isComplete) {
    await job.result;
    await expectFilm(job);
  } else {
    await expect(job.result).rejects.toMatchObject({ code: "video_unavailable" });
  }
});

test("all parts except the one with the index are sent before the index is known", async () => {
  const job = start("film.mpd");
  await job.result;
  const bytes = await media.storedBytes(job);
  const numbers = media.faulty.requestsOf(job, "part").map(({ partNumber }) => partNumber);
  expect(numbers.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: Math.ceil(bytes.length / (5 * mib)) }, (_, index) => index + 1),
  );
  expect(numbers.at(-1)).toBe(1);
});

test("streams are read again for the next name if the first turns out to be taken", async () => {
  media.takeFirstName();
  const job = start("film.mpd");
  await job.result;
  await expectFilm(job);
  expect(media.faulty.requestsOf(job, "abort")).toHaveLength(1);
});

test("streams longer than their manifest says are muxed by a program, which reads all of them", async () => {
  const job = start("short.mpd", {});
  await job.result;
  expect(job.logged).toContain(doubted);
  await expectFilm(job);
  expect(media.faulty.requestsOf(job, "abort").length).toBe(media.faulty.requestsOf(job, "start").length - 1);
});

test("files without a segment list are muxed too", async () => {
  await makeApart("apart", 10);
  const job = start("apart.mpd");
  await job.result;
  await expectFilm(job);
});

test("audio that ends early between two segments fails, with a program or without", async () => {
  await makeApart("cut", 5);
  for (const format of ["mp4", "mkv"] as const) {
    const job = media.start("cut.mpd", { options: { format } });
    await expect(job.result).rejects.toMatchObject({
      code: "invalid_media",
      detail: "part of the video or audio is missing",
    });
    await media.expectNothingStored(job);
  }
});

test("streams that wait for each other's connection are fetched concurrently nevertheless", async () => {
  const network = await startNetwork({ allowPrivateNetwork: true }, resolveBySystem, 1, testPatience);
  const limits = { ...sampleTask().limits, source_silence_ms: 500 };
  const job = media.start("no-range/uneven.mpd", {
    task: { limits },
    tools: { network, downloadMemory: createByteBudget(32 * 1024) },
  });
  await job.result;
  expect(job.logged).toContain(doubted);
  await expectFilm(job);
  await network.close();
});

test("streams that only the downloader can fetch, however slowly, are not taken for waiting for each other", async () => {
  await makeApart("apart", 10);
  const patience = { ...testPatience, askedMaxMs: 100 };
  const network = await startNetwork({ allowPrivateNetwork: true }, resolveBySystem, 8, patience);
  const limits = { ...sampleTask().limits, source_silence_ms: 300 };
  const format = (stream: number, codecs: object) => ({
    ...codecs,
    format_id: String(stream),
    url: `http://127.0.0.1/apart-${stream}.mp4`,
    protocol: "http",
    cookies: "only=the-downloader",
  });
  const formats = [
    format(1, { vcodec: "none", acodec: "mp4a.40.2" }),
    format(0, { vcodec: "avc1", acodec: "none" }),
  ];
  const description = { id: "film", title: "film", duration: 20, formats };
  const run: Downloader["run"] = async (args, { folder, onLine, signal, stdoutPath = "" }) => {
    const end = { outcome: "exited", exitCode: 0, stdout: "", stderr: "" } as const;
    // No site is known by this address.
    if (args.includes("--list-extractors")) return end;
    if (args.includes("--dump-single-json")) {
      await writeFile(stdoutPath, JSON.stringify(description));
      return end;
    }
    // Several times as long as streams may stand still.
    for (let received = 1; received <= 30; received += 1) {
      await sleep(100, undefined, { signal });
      onLine?.(`progress:${received} NA NA`);
    }
    const stream = /format_id="(\d)"/.exec(args.join(" "))?.[1] ?? "";
    const name = args[args.indexOf("--output") + 1] ?? "";
    await copyFile(join(media.folder, `apart-${stream}.mp4`), join(folder, name));
    return end;
  };
  await writeFile(join(media.folder, "page.html"), "<!doctype html><title>film</title>");
  const job = media.start("page.html", {
    task: { limits },
    tools: { network, downloader: { safeFlags: [], run } },
  });
  await job.result;
  await expectFilm(job);
  expect(job.logged).not.toContain("the streams are downloaded to disk instead");
  await network.close();
});

test("when storage refuses a part, the job fails and leaves nothing", async () => {
  media.refuseSecondPart();
  const job = start("film.mpd");
  await expect(job.result).rejects.toMatchObject({ code: "storage_error" });
  await media.expectNothingStored(job);
});

test("when it is stopped while its parts are in flight, it leaves nothing", async () => {
  const reason = new Error("stopped by the test");
  const job = start("film.mpd");
  media.faulty.treat(({ kind }) => {
    if (kind !== "part") return "pass";
    setImmediate(() => job.controller.abort(reason));
    return "hang";
  });
  await expect(job.result).rejects.toBe(reason);
  await media.expectNothingStored(job);
});
