import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { EncodingOptions } from "../../../contracts/encoding-options.ts";
import type { Task } from "../../../contracts/task.ts";
import type { JobTools } from "../../../processor/pipeline/job-context.ts";
import { startOrigin } from "../../../scripts/origin/serve-origin.ts";
import { startFaultyStorage, type FaultyStorage } from "../upload/faulty-storage.ts";
import { startTestJobs, type TestJob, type TestJobs } from "./test-jobs.ts";

/** Replaces ffmpeg and ffprobe in jobs that must not start any program. */
export const noPrograms = { ffmpeg: "/nowhere/ffmpeg", ffprobe: "/nowhere/ffprobe" };

/** Jobs whose media a test file makes for itself, and whose storage fails on request. */
export interface OwnMedia {
  readonly jobs: TestJobs;
  readonly faulty: FaultyStorage;
  /** Contains the media, served by a separate origin. */
  readonly folder: string;
  /** Starts a job for a file in the folder, or for a URL. */
  start(
    path: string,
    given?: { options?: Partial<EncodingOptions>; task?: Partial<Task>; tools?: Partial<JobTools> },
  ): TestJob;
  /** The bytes of the only object that a job has stored. */
  storedBytes(job: TestJob): Promise<Buffer>;
  /** Storage behaves as if someone else's object had the first name that is completed. */
  takeFirstName(): void;
  refuseSecondPart(): void;
  /** Expects that the job never published and that all of its uploads were aborted. */
  expectNothingStored(job: TestJob): Promise<void>;
  close(): Promise<void>;
}

/** `make` creates the media in the folder. */
export async function startOwnMedia(make: (folder: string) => Promise<void>): Promise<OwnMedia> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-test-media-"));
  await make(folder);
  const [jobs, origin] = await Promise.all([startTestJobs(), startOrigin({ folder })]);
  const faulty = await startFaultyStorage(jobs.storage.access);

  return {
    jobs,
    faulty,
    folder,
    start(path, { options = {}, task = {}, tools = {} } = {}) {
      const url = path.startsWith("http") ? path : `${origin.url}/${path}`;
      return jobs.start(url, options, { storage: faulty.access, ...task }, tools);
    },
    async storedBytes({ jobId }) {
      const [objectKey = "", ...others] = await jobs.storedKeys(jobId);
      expect(others).toEqual([]);
      return (await jobs.storage.get(objectKey)).bytes;
    },
    takeFirstName() {
      let completions = 0;
      faulty.treat(({ kind }) => (kind === "complete" && ++completions === 1 ? { status: 412 } : "pass"));
    },
    refuseSecondPart() {
      let parts = 0;
      faulty.treat(({ kind }) => (kind === "part" && ++parts === 2 ? { status: 403 } : "pass"));
    },
    async expectNothingStored(job) {
      expect(job.link.events).not.toContain("publish");
      expect(faulty.requestsOf(job, "abort").length).toBe(faulty.requestsOf(job, "start").length);
      expect(await jobs.storedKeys(job.jobId)).toEqual([]);
    },
    async close() {
      await Promise.all([jobs.close(), faulty.close(), origin.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Expects that the job's percentage never falls. Returns the last one. */
export function expectRisingPercent({ link }: TestJob): number | undefined {
  const percents = link.progress.map(({ percent }) => percent);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  return percents.at(-1);
}
