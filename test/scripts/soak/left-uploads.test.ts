import { expect, test } from "vitest";
import { auditUploads } from "../../../scripts/soak/left-uploads.ts";

const untold = { path: "/bucket/untold", parts: 0 };
const told = { path: "/bucket/told", parts: 2 };

test("an upload with parts that stays open is found; one without parts is ignored", async () => {
  const { rows } = await auditUploads({ openUploads: () => [untold, told] }, 0);
  expect(rows).toEqual([{ accountId: "", subject: "/bucket/told", detail: "2 parts" }]);
});

test("an upload being aborted is waited for", async () => {
  const seen = [[told], [told], []];
  const { rows } = await auditUploads({ openUploads: () => seen.shift() ?? [] }, 60_000);
  expect(rows).toEqual([]);
});
