import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureKinds, type FailureCode } from "../../contracts/failure.ts";
import { fetchFile, readFileFacts } from "../../scripts/demo/file-facts.ts";
import { episodeTitle, mediaFiles, mediaSeconds } from "../../scripts/origin/make-media.ts";
import type { Origin } from "../../scripts/origin/serve-origin.ts";
import { startTestOrigin } from "../origin/test-origin.ts";
import { openApi, type Api } from "./support/api.ts";
import { urlSecret } from "./support/planted-secrets.ts";
import { useSharedSystem } from "./support/shared-system.ts";

let folder: string;
let origin: Origin;
let api: Api;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-inputs-"));
  origin = await startTestOrigin();
  api = await openApi(await useSharedSystem("inputs"));
});
afterAll(async () => {
  await origin.close();
  await rm(folder, { recursive: true });
});

/** Contains a token, as the URLs of many sources do. */
const sourceUrl = (path: string) =>
  `${origin.url}/${path}${path.includes("?") ? "&" : "?"}token=${urlSecret}`;

interface Good {
  readonly source: string;
  readonly fields?: object;
  readonly key: string;
  readonly container: string;
  readonly video: readonly string[];
  readonly audio: readonly string[];
}

const video360 = { container: "mp4", video: ["h264 360p"], audio: ["aac"] };
const video720 = { container: "mp4", video: ["h264 720p"], audio: ["aac"] };

const goodInputs: readonly Good[] = [
  { source: mediaFiles.mp4, key: "progressive.mp4", ...video360 },
  { source: `no-range/${mediaFiles.mp4}`, key: "progressive (2).mp4", ...video360 },
  { source: mediaFiles.mp4IndexFirst, key: "index-first.mp4", ...video360 },
  { source: mediaFiles.mp4WithoutSound, key: "silent.mp4", ...video360, audio: [] },
  { source: `cut-once/${mediaFiles.mp4IndexFirst}`, key: "index-first (2).mp4", ...video360 },
  { source: mediaFiles.dash, key: "manifest.mp4", ...video720 },
  { source: mediaFiles.hls, key: "master.mp4", ...video720 },
  { source: mediaFiles.page, key: "A page with a video.mp4", ...video360 },
  {
    source: mediaFiles.webm,
    fields: { format: "webm" },
    key: "video.webm",
    container: "webm",
    video: ["vp9 180p"],
    audio: ["opus"],
  },
  {
    source: mediaFiles.mkv,
    fields: { format: "mkv", folder: "films/short", filename: "A film: the end" },
    key: "films/short/A film the end.mkv",
    container: "matroska",
    video: ["h264 360p"],
    audio: ["aac"],
  },
  { source: mediaFiles.mkv, key: "video.mp4", ...video360 },
  { source: mediaFiles.mp3, key: `${episodeTitle}.mp3`, container: "mp3", video: [], audio: ["mp3"] },
  { source: mediaFiles.m4a, key: `${episodeTitle}.m4a`, container: "m4a", video: [], audio: ["aac"] },
  {
    source: mediaFiles.mp4,
    fields: { audio_only: true },
    key: "progressive.m4a",
    container: "m4a",
    video: [],
    audio: ["aac"],
  },
];

describe("a good input ends Completed with the expected file:", () => {
  const titled = goodInputs.map((input) => ({ ...input, title: `${input.source} as ${input.key}` }));
  test.for(titled)("$title", async ({ source, fields, key, container, video, audio }) => {
    const jobId = await api.createJob({ url: sourceUrl(source), ...fields });
    const job = await api.waitForEnd(jobId);
    expect(job).toMatchObject({ status: "Completed", step: "Finished", storage_key: key });

    const path = join(folder, jobId);
    await fetchFile(job.storage_url ?? "", path, AbortSignal.timeout(30_000));
    const facts = await readFileFacts(path);
    expect(facts).toMatchObject({ video, audio, bytes: job.file_size });
    expect(facts.containers).toContain(container);
    expect(Math.abs(facts.durationSeconds - mediaSeconds)).toBeLessThanOrEqual(1);
    if (container === "mp4") expect(facts.indexFirst).toBe(true);
  });
});

describe("a bad input ends Failed with the reason:", () => {
  const badInputs: readonly [string, FailureCode][] = [
    ["status/404", "video_unavailable"],
    ["status/410", "video_unavailable"],
    ["status/403", "sign_in_required"],
    ["status/429", "rate_limited"],
    ["status/503", "source_error"],
    ["nothing-here.mp4", "video_unavailable"],
    [`stall/${mediaFiles.mp4}`, "connection_timeout"],
    [`cut/${mediaFiles.mp4}`, "source_error"],
    ["garbage/film.mp4", "invalid_media"],
    ["text/words", "unsupported_url"],
  ];

  test.for(badInputs)("%s is %s", { concurrent: true }, async ([source, code], { expect: expectHere }) => {
    const job = await api.waitForEnd(await api.createJob({ url: sourceUrl(source) }));
    expectHere(job).toMatchObject({
      status: "Failed",
      step: "Finished",
      error_code: code,
      storage_key: null,
    });
    expectHere(job.error?.startsWith(failureKinds[code].sentence)).toBe(true);
    expectHere(JSON.stringify(job)).not.toMatch(/yt.?dlp|ffmpeg/i);
    expectHere(job).not.toHaveProperty("storage_url");
  });
});

test("usage counts every job and every stored byte", async () => {
  const before = await api.ask("GET", "/usage");
  const job = await api.waitForEnd(await api.createJob({ url: `${origin.url}/${mediaFiles.mp3}` }));
  const after = await api.ask("GET", "/usage");
  expect(after.body).toMatchObject({ client_name: "inputs", usage_count: before.body.usage_count + 1 });
  expect(after.body.storage_usage_gb).toBeCloseTo(
    before.body.storage_usage_gb + (job.file_size ?? 0) / 1e9,
    12,
  );
});
