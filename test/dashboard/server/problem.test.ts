import { describe, expect, it } from "vitest";
import { FerryError } from "../../../client/ferry-client.ts";
import { formProblems, problemSentence } from "../../../dashboard/server/problem.ts";

type Details = FerryError["details"];

function refusal(details?: Details): FerryError {
  return new FerryError(400, {
    error: details?.[0]?.message ?? "Bucket does not exist",
    code: "invalid_request",
    request_id: "r",
    ...(details && { details }),
  });
}

describe("validation errors", () => {
  it("are shown at their fields, with every message", () => {
    const error = refusal([
      { path: "url", message: "Invalid URL" },
      { path: "format", message: "First" },
      { path: "format", message: "Second" },
    ]);
    expect(formProblems(error, ["url", "format"])).toEqual({
      ofFields: { url: "Invalid URL", format: "First · Second" },
      ofForm: null,
    });
  });

  it("are shown at the form if they name no field, or one that the form does not have", () => {
    expect(formProblems(refusal(), ["url"])).toEqual({ ofFields: {}, ofForm: "Bucket does not exist" });
    expect(formProblems(refusal([{ path: "x", message: "Unknown field: x" }]), ["url"])).toEqual({
      ofFields: {},
      ofForm: "Unknown field: x",
    });
  });

  it("can be moved to another field", () => {
    const error = refusal([{ path: "jobs.3.url", message: "Invalid URL" }]);
    const problems = formProblems(error, ["jobs"], ({ message }) => ({ path: "jobs", message }));
    expect(problems.ofFields).toEqual({ jobs: "Invalid URL" });
  });

  it("are empty before the first error", () => {
    expect(formProblems(null, ["url"])).toEqual({ ofFields: {}, ofForm: null });
  });
});

it("a request without a response is described in our own words, not the browser's", () => {
  expect(problemSentence(new TypeError("Failed to fetch"))).toBe(
    "Ferry did not respond. Check the connection and try again.",
  );
});
