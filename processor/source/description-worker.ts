import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { FailureCode } from "../../contracts/failure.ts";
import { JobFailure } from "../pipeline/job.ts";
import { readDescription, type Description } from "./read-description.ts";

/** A worker's only message: threads cannot pass each other a JobFailure. */
export type DescriptionOutcome =
  | { readonly description: Description }
  | { readonly failure: { readonly code: FailureCode; readonly detail: string | null } };

const transferred: readonly [] = [];
parentPort?.postMessage(outcomeOf(readFileSync(String(workerData), "utf8")), transferred);

function outcomeOf(text: string): DescriptionOutcome {
  try {
    return { description: readDescription(text) };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return { failure: { code: error.code, detail: error.detail } };
  }
}
