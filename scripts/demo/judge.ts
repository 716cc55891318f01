import type { Job } from "../../client/ferry-client.ts";
import type { DemoJob } from "./demo-jobs.ts";
import type { FileFacts } from "./file-facts.ts";

interface Result {
  readonly job: Job;
  readonly facts: FileFacts;
  readonly sourceSeconds: number;
}

/** What is wrong with a finished job's file, in sentences; empty if nothing is. */
export function judge(expected: DemoJob["expected"], { job, facts, sourceSeconds }: Result): string[] {
  const tolerance = Math.max(1, sourceSeconds / 100);
  const found: [boolean, string][] = [
    [!facts.containers.includes(expected.container), `the container is ${facts.containers.join(",")}`],
    [facts.video.length !== expected.videoStreams, `it has ${facts.video.length} video streams`],
    [facts.audio.length !== expected.audioStreams, `it has ${facts.audio.length} audio streams`],
    [Math.abs(facts.durationSeconds - sourceSeconds) > tolerance, `it plays ${facts.durationSeconds} s`],
    [facts.bytes !== job.file_size, `it has ${facts.bytes} bytes, and the job says ${job.file_size}`],
    [expected.container === "mp4" && !facts.indexFirst, "its index is after its media"],
  ];
  return found.filter(([wrong]) => wrong).map(([, sentence]) => sentence);
}
