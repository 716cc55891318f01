import { parentPort } from "node:worker_threads";
import type { FailureCode } from "../../contracts/failure.ts";
import { JobFailure } from "../pipeline/job.ts";
import { parseWith, type ParserInput, type ParserName, type ParserResult } from "./parsers.ts";

export type ParserTask = {
  readonly [Name in ParserName]: { name: Name; input: ParserInput<Name> };
}[ParserName];

/** The answer to a task: threads cannot pass each other a JobFailure. */
export type ParserAnswer<Name extends ParserName> =
  | { readonly result: ParserResult<Name> }
  | { readonly failure: { readonly code: FailureCode; readonly detail: string | null } }
  | { readonly error: unknown };

const transferred: readonly [] = [];

parentPort?.on("message", ({ name, input }: ParserTask) => {
  parentPort?.postMessage(answerTo(name, input), transferred);
});
// Now that everything is loaded, tasks begin at once.
parentPort?.postMessage("ready", transferred);

function answerTo<Name extends ParserName>(name: Name, input: ParserInput<Name>): ParserAnswer<Name> {
  try {
    return { result: parseWith(name, input) };
  } catch (error) {
    // The stack, a string or an array has become too large.
    if (error instanceof RangeError)
      return { failure: { code: "unsupported_url", detail: "it is nested too deep" } };
    if (!(error instanceof JobFailure)) return { error };
    return { failure: { code: error.code, detail: error.detail } };
  }
}
