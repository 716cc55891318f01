import { expect, test } from "vitest";
import { exceptedIds, readAdvisories } from "../../../scripts/checks/advisories.ts";

const advisory = (id: string, title: string) => ({
  source: 1,
  url: `https://github.com/advisories/${id}`,
  title,
});

test("each advisory is listed once, under the package concerned", () => {
  const answer = {
    auditReportVersion: 2,
    vulnerabilities: {
      parser: { name: "parser", severity: "high", via: [advisory("GHSA-aaaa-bbbb-cccc", "It loops")] },
      app: { name: "app", severity: "high", via: ["parser"] },
    },
    metadata: {},
  };
  expect(readAdvisories(JSON.stringify(answer))).toEqual([
    { id: "GHSA-aaaa-bbbb-cccc", packageName: "parser", severity: "high", title: "It loops" },
  ]);
  expect(readAdvisories(JSON.stringify({ ...answer, vulnerabilities: {} }))).toEqual([]);
});

test("the response of a registry without advisories says nothing", () => {
  for (const answer of ["", "405 Method Not Allowed", '{"error":{"summary":""},"statusCode":405}']) {
    expect(readAdvisories(answer)).toBeNull();
  }
});

test("an exception needs a reason", () => {
  const text = [
    "- `GHSA-aaaa-bbbb-cccc`: the parser reads our own files alone.",
    "- `GHSA-dddd-eeee-ffff`:",
    "Not `GHSA-gggg-hhhh-iiii`: not a list item.",
  ].join("\n");
  expect([...exceptedIds(text)]).toEqual(["GHSA-aaaa-bbbb-cccc"]);
});
