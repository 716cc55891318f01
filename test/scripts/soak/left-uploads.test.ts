import { expect, test } from "vitest";
import { auditUploads } from "../../../scripts/soak/left-uploads.ts";

const untold = { path: "/bucket/untold", parts: 0 };
const told = { path: "/bucket/told", parts: 2 };

test("an upload with parts that is open for good is found, one without is nobody's", async () => {
  const { rows } = await auditUploads({ openUploads: () => [untold, told] }, 0);
  expect(rows).toEqual([{ accountId: "", subject: "/bucket/told", detail: "2 parts" }]);
});

test("what is just being aborted is waited for", async () => {
  const seen = [[told], [told], []];
  const { rows } = await auditUploads({ openUploads: () => seen.shift() ?? [] }, 60_000);
  expect(rows).toEqual([]);
});
