import type { FileFacts } from "../../../contracts/file-facts.ts";
import type { Progress } from "../../../contracts/heartbeat.ts";
import { progressSchema } from "../../../contracts/heartbeat.ts";
import { fileFactsSchema } from "../../../contracts/file-facts.ts";
import type { JobLink } from "../../../processor/pipeline/job.ts";

/** A link to an edge that agrees to everything; records all calls. */
export interface RecordingLink extends JobLink {
  /** Steps and requests, in order. */
  readonly events: string[];
  readonly progress: Progress[];
  readonly facts: FileFacts[];
}

export function createRecordingLink(jobId: string): RecordingLink {
  const events: string[] = [];
  const progress: Progress[] = [];
  const facts: FileFacts[] = [];
  return {
    events,
    progress,
    facts,
    reserveKey({ title, extension }) {
      events.push("reserve key");
      const storageKey = `${title ?? jobId}.${extension}`;
      return Promise.resolve({ storageKey, objectKey: `${jobId}/${storageKey}` });
    },
    uploadStarted() {
      events.push("upload started");
      return Promise.resolve();
    },
    publish(given) {
      events.push("publish");
      facts.push(fileFactsSchema.parse(given));
      return Promise.resolve();
    },
    stepReached: (step) => events.push(step),
    progressMade: (given) => progress.push(progressSchema.parse(given)),
  };
}
