import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { EncodingOptions } from "../../../contracts/encoding-options.ts";
import type { FileFacts } from "../../../contracts/file-facts.ts";
import type { Task } from "../../../contracts/task.ts";
import type { JobTools } from "../../../processor/pipeline/job-context.ts";
import { parseWebVtt } from "../../../processor/sidecars/web-vtt.ts";
import type { Bucket } from "../../../processor/upload/bucket.ts";
import type { OpenStorage } from "../../../processor/upload/open-storage.ts";
import { createPlaces } from "../../../processor/work/places.ts";
import { startOrigin } from "../../../scripts/origin/serve-origin.ts";
import { servePage, type PageServer } from "../sidecars/page-server.ts";
import { makeSubtitledMedia } from "../sidecars/subtitled-media.ts";
import { startTestJobs, type TestJob, type TestJobs } from "./test-jobs.ts";

let folder: string;
let jobs: TestJobs;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-sidecars-"));
  await makeSubtitledMedia(folder);
  jobs = await startTestJobs(() => startOrigin({ folder }));
});
afterAll(async () => {
  await jobs.close();
  await rm(folder, { recursive: true, force: true });
});

const all: Partial<EncodingOptions> = { download_subtitles: true, download_thumbnail: true };

const start = (
  path: string,
  options = all,
  given: Partial<Task> = {},
  tools: Partial<JobTools> = {},
): TestJob => jobs.start(path, options, given, tools);

/** Runs a job to its end; returns what it published and the names of its stored objects. */
async function finish(path: string, options: Partial<EncodingOptions> = all) {
  const { jobId, link, result } = start(path, options);
  await result;
  const [facts] = link.facts;
  if (facts === undefined) throw new Error("Nothing was published");
  return { jobId, facts, names: await storedNames(jobId) };
}

async function storedNames(jobId: string): Promise<string[]> {
  return (await jobs.storedKeys(jobId)).map((key) => key.slice(jobId.length + 1));
}

const textOf = async (jobId: string, name: string) =>
  (await jobs.storage.get(`${jobId}/${name}`)).bytes.toString();
const sidecarsOf = ({ sidecars }: FileFacts) => sidecars.map(({ storage_key }) => storage_key);

async function pictureOf(jobId: string, name: string): Promise<string> {
  const path = join(folder, `${jobId}-picture`);
  await writeFile(path, (await jobs.storage.get(`${jobId}/${name}`)).bytes);
  const entries = "stream=codec_name,width,height";
  const { stdout } = await execa("ffprobe", [
    "-v",
    "error",
    "-show_entries",
    entries,
    "-of",
    "csv=p=0",
    path,
  ]);
  return stdout;
}

describe("subtitles", () => {
  test("in the tracks of a file are stored in each language, as WebVTT", async () => {
    const { jobId, facts, names } = await finish("film.mkv", { format: "mkv", download_subtitles: true });
    expect(names).toEqual(["film.de.vtt", "film.en.vtt", "film.mkv"]);
    expect(await textOf(jobId, "film.en.vtt")).toMatch(
      /^WEBVTT\n\n00:00:01\.0.. --> 00:00:02\.5..\nHello <i>there<\/i>\n$/,
    );
    expect(await textOf(jobId, "film.de.vtt")).toContain("Guten Tag");
    expect(facts.preferred_subtitle).toBe("film.en.vtt");
    const bytes = (await jobs.storage.get(`${jobId}/film.en.vtt`)).bytes.length;
    expect(facts.sidecars[0]).toEqual({
      kind: "subtitle",
      language: "en",
      storage_key: "film.en.vtt",
      bytes,
    });
  });

  test("of one file are extracted by one program, or one by one if that fails", async () => {
    const oneByOne = join(folder, "one-by-one");
    const refusesTwo = '#!/bin/sh\ncase "$*" in *-map*webvtt*-map*) exit 1;; esac\nexec ffmpeg "$@"\n';
    await writeFile(oneByOne, refusesTwo, { mode: 0o755 });
    const runsWith = async (ffmpeg: string) => {
      let runs = 0;
      const places = createPlaces(2);
      const sidecarPrograms: typeof places = {
        ...places,
        within: (signal, work) => places.within(signal, () => ((runs += 1), work())),
      };
      const options = { format: "mkv", download_subtitles: true } as const;
      const { jobId, result } = start("film.mkv", options, {}, { ffmpeg, sidecarPrograms });
      await result;
      expect(await storedNames(jobId)).toEqual(["film.de.vtt", "film.en.vtt", "film.mkv"]);
      return runs;
    };
    expect(await runsWith("ffmpeg")).toBe(1);
    expect(await runsWith(oneByOne)).toBe(3);
  });

  test("are stored with their type, their name and their job", async () => {
    const { jobId } = await finish("film.mp4");
    expect(await jobs.storage.get(`${jobId}/film.fr.vtt`)).toMatchObject({
      contentType: "text/vtt; charset=utf-8",
      contentDisposition: "attachment; filename=film.fr.vtt",
      metadata: { job: jobId, claim: "1" },
    });
    expect(await jobs.storage.get(`${jobId}/film.jpg`)).toMatchObject({
      contentType: "image/jpeg",
      contentDisposition: "attachment; filename=film.jpg",
    });
  });

  test("in HLS segments become one file, on the film's timeline", async () => {
    const { jobId, names } = await finish("hls/master.m3u8", { download_subtitles: true });
    expect(names).toEqual(["master.en.vtt", "master.mp4"]);
    const cues = parseWebVtt(await textOf(jobId, "master.en.vtt"))?.cues ?? [];
    expect(cues.map(({ text }) => text)).toEqual(["First", "Over the end", "Last"]);
    // Audio begins a few milliseconds before the video.
    const times = cues.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]);
    for (const [index, seconds] of [0.5, 1, 1.5, 2.5, 3, 3.5].entries())
      expect(times[index]).toBeCloseTo(seconds, 1);
  });

  test("of a DASH presentation are stored, those in its own language first", async () => {
    const { jobId, facts } = await finish("dash.mpd");
    expect(sidecarsOf(facts).toSorted()).toEqual(["dash.da.vtt", "dash.fr.vtt", "dash.jpg"]);
    expect(facts.preferred_subtitle).toBe("dash.da.vtt");
    expect(await textOf(jobId, "dash.da.vtt")).toContain("God\ndag &amp; tak");
  });

  test("of a page are stored as far as they are available; the others are left out", async () => {
    const { facts, names } = await finish("page.html");
    const name = "A page with subtitles";
    expect(names).toEqual([`${name}.en-GB.vtt`, `${name}.fr.vtt`, `${name}.jpg`, `${name}.mp4`]);
    expect(facts.preferred_subtitle).toBe(`${name}.fr.vtt`);
  });

  test("that do not exist do not fail the job", async () => {
    const { facts, names } = await finish("plain.mp4", { download_subtitles: true });
    expect(names).toEqual(["plain.mp4"]);
    expect(facts).toMatchObject({ sidecars: [], preferred_subtitle: null });
  });

  test("and thumbnails that were not requested are not stored", async () => {
    expect((await finish("film.mp4", {})).names).toEqual(["film.mp4"]);
  });
});

describe("the thumbnail", () => {
  test.for([
    ["that a page names", "page.html", "A page with subtitles.jpg", "mjpeg,80,60"],
    ["that an audio file has as its cover", "cover.mp3", "cover.jpg", "mjpeg,50,40"],
    ["of a film without any is a frame of it", "plain.mp4", "plain.jpg", "mjpeg,64,36"],
  ] as const)("%s, is stored as a JPEG", async ([, path, name, picture]) => {
    const { jobId } = await finish(path, { download_thumbnail: true });
    expect(await pictureOf(jobId, name)).toBe(picture);
  });

  test("does not exist for audio without a picture", async () => {
    expect((await finish("sound.m4a")).names).toEqual(["sound.m4a"]);
  });
});

describe("what a lost or stopped attempt leaves", () => {
  test("is nothing if the job is stopped before its file may appear", async () => {
    const { jobId, link, controller, result } = start("page.html");
    link.publish = () => {
      controller.abort(new Error("stopped"));
      return Promise.reject(new Error("stopped"));
    };
    await expect(result).rejects.toThrow("stopped");
    expect(await storedNames(jobId)).toEqual([]);
    expect(await readdir(jobs.workFolder)).toEqual([]);
  });

  test("is adopted if it is complete, and completed otherwise", async () => {
    const { jobId, facts } = await finish("film.mp4");
    const storageKey = "film.mp4";
    const earlier = {
      storage_key: storageKey,
      object_key: `${jobId}/${storageKey}`,
      upload_id: null,
      facts,
    };
    const again = (given: FileFacts) =>
      start("film.mp4", all, { job_id: jobId, claim: 2, earlier: { ...earlier, facts: given } });
    const adopting = again(facts);
    await adopting.result;
    expect(adopting.link.events).toEqual(["publish"]);

    const [first] = facts.sidecars;
    if (first === undefined) throw new Error("There are no sidecars");
    const missing = again({
      ...facts,
      sidecars: [...facts.sidecars, { ...first, storage_key: "film.xx.vtt" }],
    });
    await missing.result;
    expect(missing.link.events).toContain("reserve key");
    expect(missing.link.facts).toEqual([facts]);
    // Identical ones are left alone.
    expect((await jobs.storage.get(`${jobId}/film.jpg`)).metadata).toMatchObject({ claim: "1" });
  });
});

describe("a sidecar listed by a page", () => {
  const film = "A film";
  const names = [`${film}.fr.vtt`, `${film}.jpg`, `${film}.mp4`];
  let pages: PageServer;
  const open = async (media: string) => {
    pages = await servePage(folder, media);
  };
  afterEach(() => pages.close());

  test("is fetched while the film arrives", async () => {
    await open("plain.mp4");
    expect((await finish(pages.url)).names).toEqual(names);
  });

  test("is stored along with a film that is stored directly and read by no program", async () => {
    await open("index-first.mp4");
    const { jobId, link, result } = start(pages.url, all, {}, { ffprobe: "/nowhere/ffprobe" });
    await result;
    expect(await storedNames(jobId)).toEqual(names);
    expect(link.facts[0]).toMatchObject({
      preferred_subtitle: `${film}.fr.vtt`,
      media: { container: "mp4" },
    });
    expect(await pictureOf(jobId, `${film}.jpg`)).toBe("mjpeg,80,60");
    expect(pages.requests.get("/index-first.mp4")).toBe(1);
  });

  test("is made from the film if unavailable, even if the film was stored directly", async () => {
    await open("index-first.mp4");
    pages.setPoster("missing.png");
    const { jobId, names: stored } = await finish(pages.url);
    expect(stored).toEqual(names);
    expect(await pictureOf(jobId, `${film}.jpg`)).toBe("mjpeg,64,36");
    expect(pages.requests.get("/fr.vtt")).toBe(1);
  });

  test("is stored once even if the response of storage was lost", async () => {
    await open("index-first.mp4");
    const openStorage: OpenStorage = (access) => {
      const bucket = jobs.tools.openStorage(access);
      const put: Bucket["put"] = async (objectKey, ...request) => {
        await bucket.put(objectKey, ...request);
        // What a client that got no response does.
        if (!objectKey.endsWith(".mp4")) await bucket.put(objectKey, ...request);
      };
      return { ...bucket, put };
    };
    const job = start(pages.url, all, {}, { openStorage });
    await job.result;
    await expectPublished(job, "1");
    expect(await storedNames(job.jobId)).toEqual(names);
  });

  /** A job whose node freezes when it is about to store its thumbnail. */
  function startZombie() {
    const frozen = Promise.withResolvers<void>();
    const continued = Promise.withResolvers<void>();
    const openStorage: OpenStorage = (access) => {
      const bucket = jobs.tools.openStorage(access);
      return {
        ...bucket,
        async put(objectKey, ...request) {
          if (objectKey.endsWith(".jpg")) {
            frozen.resolve();
            await continued.promise;
          }
          await bucket.put(objectKey, ...request);
        },
      };
    };
    const job = start(pages.url, all, {}, { openStorage });
    const reserveKey = job.link.reserveKey.bind(job.link);
    job.link.reserveKey = (wish) =>
      wish.taken === null ? reserveKey(wish) : Promise.reject(new Error("fenced"));
    // Everyone who awaits it still gets the error.
    job.result.catch(() => {});
    return { ...job, frozen: frozen.promise, continue: () => continued.resolve() };
  }

  /** Expects storage to hold exactly the sidecars published last. */
  async function expectPublished({ jobId, link }: Pick<TestJob, "jobId" | "link">, claim: string) {
    const { sidecars } = link.facts.at(-1) ?? { sidecars: [] };
    expect(sidecars).toHaveLength(2);
    for (const { storage_key: key, bytes } of sidecars)
      expect((await jobs.storage.get(`${jobId}/${key}`)).bytes).toHaveLength(bytes);
    const picture = sidecars.find(({ kind }) => kind === "thumbnail")?.storage_key;
    expect((await jobs.storage.get(`${jobId}/${picture}`)).metadata).toMatchObject({ claim });
  }

  test("is not overwritten by a node that was frozen before it stored its own", async () => {
    await open("index-first.mp4");
    const zombie = startZombie();
    await zombie.frozen;
    pages.setPoster("other-poster.png");
    const next = start(pages.url, all, { job_id: zombie.jobId, claim: 2 });
    await next.result;
    await expectPublished(next, "2");
    zombie.continue();
    await expect(zombie.result).rejects.toThrow("fenced");
    expect(await storedNames(next.jobId)).toEqual(names);
    await expectPublished(next, "2");
  });

  test("takes another name along with the film if such a node was faster", async () => {
    await open("index-first.mp4");
    const zombie = startZombie();
    await zombie.frozen;
    pages.setPoster("other-poster.png");
    const next = start(pages.url, all, { job_id: zombie.jobId, claim: 2 });
    const publish = next.link.publish.bind(next.link);
    next.link.publish = async (facts) => {
      await publish(facts);
      zombie.continue();
      await zombie.result;
    };
    next.link.reserveKey = ({ taken }) => {
      const storageKey = taken === null ? `${film}.mp4` : `${film} (2).mp4`;
      return Promise.resolve({ storageKey, objectKey: `${zombie.jobId}/${storageKey}` });
    };
    await next.result;
    expect(next.link.facts.at(-1)?.sidecars.map(({ storage_key }) => storage_key)).toContain(
      `${film} (2).jpg`,
    );
    await expectPublished(next, "2");
  });
});

test("the file gets another name if somebody else's object has the key of a sidecar", async () => {
  const { jobId, link, result } = start("film.mp4");
  const names: (string | null)[] = [];
  link.reserveKey = ({ taken }) => {
    names.push(taken);
    const storageKey = taken === null ? "film.mp4" : "film (2).mp4";
    return Promise.resolve({ storageKey, objectKey: `${jobId}/${storageKey}` });
  };
  await jobs.storage.put(`${jobId}/film.jpg`, "a picture of somebody else's");
  await result;
  expect(names).toEqual([null, "film.mp4"]);
  expect(await storedNames(jobId)).toEqual(["film (2).fr.vtt", "film (2).jpg", "film (2).mp4", "film.jpg"]);
  expect(await textOf(jobId, "film.jpg")).toBe("a picture of somebody else's");
});
