import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestJobs, type TestJobs } from "../../pipeline/test-jobs.ts";
import type { Downloader } from "../../../../processor/source/downloader.ts";
import { warmDownloader } from "../warm-downloader.ts";
import { downloadByItself, inspectBytes, type Outcome } from "./compare.ts";
import { manifestShapes } from "./manifest-shapes.ts";
import { ownDownloader } from "./own-downloader.ts";
import { pageShapes } from "./page-shapes.ts";
import { serverShapes } from "./server-shapes.ts";
import type { Shape } from "./shape.ts";
import { startShapeHost, type ShapeHost } from "./shape-host.ts";
import { makeShapeMedia, shapeMediaFolder } from "./shape-media.ts";
import { siteShapes } from "./site-shapes.ts";

let root: string;
let host: ShapeHost;
let downloader: Downloader;
let jobs: TestJobs;

/** The shapes' own host serves everything. */
async function startNothing() {
  return { url: host.url, requests: [], mostAtOnce: () => 0, close: async () => undefined };
}

async function downloadByFerry(url: string, folder: string): Promise<Outcome> {
  const job = jobs.start(url, {}, {}, { downloader });
  await job.result;
  const [key = "", ...others] = await jobs.storedKeys(job.jobId);
  expect(others).toEqual([]);
  return inspectBytes((await jobs.storage.get(key)).bytes, folder);
}

function serve({ at = "/page", replies = () => ({}) }: Shape): string {
  host.serve(replies({ media: `${host.url}/media`, own: host.url }, host));
  return host.url + at;
}

/**
 * Tests that everything that yt-dlp downloads by itself, Ferry downloads as well: as long, as high and with the same
 * streams. YT_DLP_PATH names another yt-dlp than the installed one.
 */
export function testShapes(isChosen: (shape: Shape) => boolean): void {
  beforeAll(async () => {
    await makeShapeMedia();
    root = await mkdtemp(join(tmpdir(), "ferry-shapes-"));
    host = await startShapeHost(shapeMediaFolder);
    downloader = await warmDownloader(await ownDownloader());
    jobs = await startTestJobs(startNothing);
  });
  afterAll(async () => {
    await Promise.all([jobs.close(), host.close()]);
    await rm(root, { recursive: true });
  });

  describe.each([
    ["pages", pageShapes],
    ["manifests", manifestShapes],
    ["servers", serverShapes],
    ["sites", siteShapes],
  ])("%s", (_group, shapes) => {
    test.each(shapes.filter(isChosen))("$name", async (shape) => {
      const url = serve(shape);
      const [own, ferrys] = await Promise.all(
        ["own", "ferry"].map((name) => mkdtemp(join(root, `${name}-`))),
      );
      const expected = await downloadByItself(url, own ?? root, downloader);
      if ("complaints" in expected) {
        expect(shape.dependsOnVersion, expected.complaints).toBe(true);
        return;
      }
      const { kinds, height, seconds } = await downloadByFerry(url, ferrys ?? root);
      expect(kinds).toEqual(expected.kinds);
      expect(height).toBeGreaterThanOrEqual(expected.height);
      expect(seconds).toBeGreaterThan(expected.seconds - 0.3);
    });
  });
}
