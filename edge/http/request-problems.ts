import type { z } from "zod";
import type { ApiError, ErrorDetail } from "./api-error.ts";
import { invalidRequest } from "./http-errors.ts";

const detailsMax = 100;
/** Names chosen by the client are quoted no longer than this. */
const nameMaxCharacters = 100;

/** Turns a failed validation into a response: problems in the order of the fields, unknown fields last. */
export function requestProblems(error: z.ZodError): ApiError {
  const isUnknown = (issue: z.core.$ZodIssue) => issue.code === "unrecognized_keys";
  const ordered = [
    ...error.issues.filter((issue) => !isUnknown(issue)),
    ...error.issues.filter((issue) => isUnknown(issue)),
  ];
  const [first, ...others] = ordered.flatMap(detailsOf);
  if (first === undefined) throw new Error("A validation failed without an issue", { cause: error });
  return invalidRequest([first, ...others.slice(0, detailsMax - 1)]);
}

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path.join("."), message: issue.message }];
  return issue.keys.slice(0, detailsMax).map((key) => {
    const name = Array.from(key).slice(0, nameMaxCharacters).join("");
    return { path: [...issue.path, name].join("."), message: `Unknown field: ${name}` };
  });
}
