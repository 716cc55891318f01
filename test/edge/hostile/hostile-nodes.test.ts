import * as fc from "fast-check";
import { expect, it } from "vitest";
import { reportAnswerSchema, reportRequestSchema, reportSchema } from "../../../contracts/report.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { spoiled } from "../../hostile/spoiled.ts";
import { brokenInvariants } from "../support/broken-invariants.ts";
import { claimAll, claimingNode } from "../support/finish-job.ts";
import { facts, timings } from "../support/made-file.ts";
import { createTestApi } from "../support/test-api.ts";

const api = await createTestApi();
const { dependencies, account } = api;

it("whatever a node reports, every count stays right", async () => {
  const url = "https://media.example/a.mp4";
  const jobs = Array.from({ length: 20 }, () => ({ url }));
  await api.call("POST", "/jobs/bulk", { json: { jobs } });
  const tasks = await claimAll(dependencies);
  const ofJob = ({ account_id, job_id, claim }: (typeof tasks)[number]) => {
    const subject = { account_id, job_id, claim };
    return [
      { ...subject, kind: "reserve_key", title: "Talk", extension: "mp4", taken: null, sidecars: ["en.vtt"] },
      { ...subject, kind: "upload_started", upload_id: `upload of ${job_id}` },
      { ...subject, kind: "publish", facts },
      { ...subject, kind: "completed", timings },
      { ...subject, kind: "failed", code: "invalid_media", detail: "none" },
      { ...subject, kind: "returned" },
    ];
  };
  const anyReport = fc
    .constantFrom(...tasks.flatMap(ofJob))
    .chain(spoiled)
    .filter((report) => reportSchema.safeParse(report).success);
  const outcomes = new Map<string, Set<string>>();
  await fc.assert(
    fc.asyncProperty(fc.array(anyReport, { minLength: 1, maxLength: 4 }), async (reports) => {
      const request = reportRequestSchema.parse({ node_id: claimingNode, free_slots: 0, reports });
      const answer = reportAnswerSchema.parse(await handleReports(dependencies, request));
      expect(answer.results).toHaveLength(reports.length);
      for (const [index, { kind }] of request.reports.entries()) {
        const ofKind = outcomes.get(kind) ?? new Set();
        outcomes.set(kind, ofKind.add(answer.results[index]?.outcome ?? ""));
      }
    }),
    { numRuns: 150 },
  );
  // Spoiled reports are told apart from good ones, some of which change their jobs.
  for (const kind of ["reserve_key", "failed", "returned"])
    expect(outcomes.get(kind), kind).toEqual(new Set(["accepted", "fenced"]));
  expect(await brokenInvariants(dependencies.database, "2026-01-01", account.id)).toEqual([]);
});
