import type { JobEvent } from "../../contracts/job-lifecycle.ts";
import type { Report, ReportAnswer, ReportRequest, ReportResult } from "../../contracts/report.ts";
import type { Task } from "../../contracts/task.ts";
import type { Dependencies } from "../dependencies.ts";
import { buildTasks } from "../dispatch/build-tasks.ts";
import { claimJobs } from "../dispatch/claim-jobs.store.ts";
import { applyChanges, type ChangeOutcome, type JobChange } from "../jobs/job-transitions.store.ts";
import { reserveKeys } from "../storage/reserve-keys.store.ts";

type KeyReport = Extract<Report, { kind: "reserve_key" }>;
type LifeReport = Exclude<Report, KeyReport>;

/** Takes in what a node reports, and fills the slots that came free with new tasks. */
export async function handleReports(
  dependencies: Dependencies,
  request: ReportRequest,
): Promise<ReportAnswer> {
  const results = new Map<Report, ReportResult>();
  for (const wave of oneReportAJob(request.reports)) {
    for (const [report, result] of await handleWave(dependencies, request.node_id, wave))
      results.set(report, result);
  }
  logEnds(dependencies, request, results);
  return {
    results: request.reports.flatMap((report) => results.get(report) ?? []),
    tasks: await refill(dependencies, request),
  };
}

/** In order, such that no part holds two reports of one job: a later one may build on an earlier one. */
function oneReportAJob(reports: readonly Report[]): Report[][] {
  const waves: Report[][] = [];
  const seen = new Map<string, number>();
  for (const report of reports) {
    const wave = seen.get(report.job_id) ?? 0;
    seen.set(report.job_id, wave + 1);
    (waves[wave] ??= []).push(report);
  }
  return waves;
}

async function handleWave(
  dependencies: Dependencies,
  nodeId: string,
  reports: readonly Report[],
): Promise<[Report, ReportResult][]> {
  const keyReports = reports.filter((report) => report.kind === "reserve_key");
  const lifeReports = reports.filter((report) => report.kind !== "reserve_key");
  const [keys, outcomes] = await Promise.all([
    keyReports.length > 0 ? reserveKeys(dependencies, nodeId, keyReports) : [],
    lifeReports.length > 0
      ? applyChanges(
          dependencies,
          lifeReports.map((report) => changeOf(nodeId, report)),
        )
      : [],
  ]);
  return [
    ...keyReports.map((report, index): [Report, ReportResult] => {
      const key = keys[index] ?? null;
      return [report, { job_id: report.job_id, outcome: key ? "accepted" : "fenced", key }];
    }),
    ...lifeReports.map((report, index): [Report, ReportResult] => [
      report,
      { job_id: report.job_id, outcome: isDone(outcomes[index]) ? "accepted" : "fenced", key: null },
    ]),
  ];
}

function isDone(outcome: ChangeOutcome | undefined): boolean {
  return outcome?.kind === "changed" || outcome?.kind === "unchanged";
}

function changeOf(nodeId: string, report: LifeReport): JobChange {
  return {
    nodeId,
    accountId: report.account_id,
    jobId: report.job_id,
    event: eventOf(report),
    ...(report.kind === "upload_started" && { uploadId: report.upload_id }),
    ...(report.kind === "publish" && { facts: report.facts }),
    ...(report.kind === "completed" && { timings: report.timings }),
    ...(report.kind === "failed" && { failureDetail: report.detail }),
  };
}

function eventOf(report: LifeReport): JobEvent {
  const { claim } = report;
  switch (report.kind) {
    case "upload_started":
      return { type: "upload_started", claim };
    case "publish":
      return { type: "publish", claim };
    case "completed":
      return { type: "complete", claim };
    case "failed":
      return { type: "fail", claim, code: report.code };
    case "returned":
      return { type: "return", claim };
  }
}

function isEnd(report: Report): boolean {
  return report.kind === "completed" || report.kind === "failed" || report.kind === "returned";
}

/**
 * New tasks for the slots of the jobs that ended here. When the answer is lost, the node never lists them and the
 * sweep puts them back.
 */
async function refill(dependencies: Dependencies, request: ReportRequest): Promise<Task[]> {
  const slots = Math.min(request.free_slots, request.reports.filter(isEnd).length);
  if (slots === 0) return [];
  const [rows = []] = await claimJobs(dependencies, [{ nodeId: request.node_id, slots }]);
  const tasks = await buildTasks(dependencies, rows);
  for (const { job_id, account_id, claim } of tasks) {
    dependencies.log.info("Job dispatched", { job_id, account_id, claim, node_id: request.node_id });
  }
  return tasks;
}

function logEnds(
  { log }: Dependencies,
  request: ReportRequest,
  results: ReadonlyMap<Report, ReportResult>,
): void {
  for (const report of request.reports) {
    if (!isEnd(report)) continue;
    log.info("Job ended on its node", {
      job_id: report.job_id,
      account_id: report.account_id,
      claim: report.claim,
      node_id: request.node_id,
      kind: report.kind,
      outcome: results.get(report)?.outcome,
      ...(report.kind === "failed" && { code: report.code }),
    });
  }
}
