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

describe("what the service found wrong", () => {
  it("stands beside its fields, every sentence of each", () => {
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

  it("stands under the form where no field is named, or one that the form has not", () => {
    expect(formProblems(refusal(), ["url"])).toEqual({ ofFields: {}, ofForm: "Bucket does not exist" });
    expect(formProblems(refusal([{ path: "x", message: "Unknown field: x" }]), ["url"])).toEqual({
      ofFields: {},
      ofForm: "Unknown field: x",
    });
  });

  it("can be placed at another field", () => {
    const error = refusal([{ path: "jobs.3.url", message: "Invalid URL" }]);
    const problems = formProblems(error, ["jobs"], ({ message }) => ({ path: "jobs", message }));
    expect(problems.ofFields).toEqual({ jobs: "Invalid URL" });
  });

  it("is nothing before there was an error", () => {
    expect(formProblems(null, ["url"])).toEqual({ ofFields: {}, ofForm: null });
  });
});

it("a request that was not answered by the service is told without the browser's own words", () => {
  expect(problemSentence(new TypeError("Failed to fetch"))).toBe(
    "Ferry did not respond. Check the connection and try again.",
  );
});
