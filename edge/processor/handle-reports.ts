import type { JobEvent } from "../../contracts/job-lifecycle.ts";
import type { Report, ReportAnswer, ReportRequest, ReportResult } from "../../contracts/report.ts";
import type { Task } from "../../contracts/task.ts";
import type { Dependencies } from "../dependencies.ts";
import { buildTasks } from "../dispatch/build-tasks.ts";
import { claimJobs } from "../dispatch/claim-jobs.store.ts";
import { applyChanges, type ChangeOutcome } from "../jobs/apply-changes.ts";
import type { JobChange } from "../jobs/job-change.ts";
import { reserveKeys } from "../storage/reserve-keys.ts";

type KeyReport = Extract<Report, { kind: "reserve_key" }>;
type LifeReport = Exclude<Report, KeyReport>;

/** Processes what a node reports, and fills the freed slots with new tasks. */
export async function handleReports(
  dependencies: Dependencies,
  request: ReportRequest,
): Promise<ReportAnswer> {
  const handled = new Map<Report, Handled>();
  for (const wave of oneReportAJob(request.reports)) {
    for (const one of await handleWave(dependencies, request.node_id, wave)) handled.set(one.report, one);
  }
  logEnds(dependencies, request, handled);
  const ended = [...handled.values()].filter(
    ({ report, isNews }) => isNews && isEnd(report) && report.kind !== "returned",
  );
  return {
    results: request.reports.flatMap((report) => handled.get(report)?.result ?? []),
    tasks: await refill(dependencies, request, ended.length),
  };
}

interface Handled {
  readonly report: Report;
  readonly result: ReportResult;
  /** The report has changed its job: it came for the first time, from the holder of the claim. */
  readonly isNews: boolean;
}

/** Splits reports, in order, so that no part has two reports about one job: a later one may build on an earlier one. */
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
): Promise<Handled[]> {
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
    ...keyReports.map((report, index): Handled => {
      const key = keys[index] ?? null;
      return {
        report,
        result: { job_id: report.job_id, outcome: key ? "accepted" : "fenced", key },
        isNews: false,
      };
    }),
    ...lifeReports.map((report, index): Handled => {
      const outcome = isDone(outcomes[index]) ? "accepted" : "fenced";
      return {
        report,
        result: { job_id: report.job_id, outcome, key: null },
        isNews: outcomes[index]?.kind === "changed",
      };
    }),
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
    ...("sequence" in report && { sequence: report.sequence }),
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
 * New tasks for the slots of the jobs that ended with this request, but not for those handed back, since the node would
 * probably get the same job again. If the response is lost, the node never lists the tasks and the sweep requeues them.
 * A replayed request ends nothing, so it gets no tasks and no credentials.
 */
async function refill(dependencies: Dependencies, request: ReportRequest, ended: number): Promise<Task[]> {
  const slots = Math.min(request.free_slots, ended);
  if (slots === 0) return [];
  const [rows = []] = await claimJobs(dependencies, [{ nodeId: request.node_id, slots }]);
  const tasks = await buildTasks(dependencies, rows);
  for (const { job_id, account_id, claim } of tasks) {
    dependencies.log.info("Job dispatched", { job_id, account_id, claim, node_id: request.node_id });
  }
  return tasks;
}

function logEnds({ log }: Dependencies, request: ReportRequest, handled: ReadonlyMap<Report, Handled>): void {
  for (const report of request.reports) {
    if (!isEnd(report)) continue;
    log.info("Job ended on its node", {
      job_id: report.job_id,
      account_id: report.account_id,
      claim: report.claim,
      node_id: request.node_id,
      kind: report.kind,
      outcome: handled.get(report)?.result.outcome,
      ...(report.kind === "failed" && { code: report.code }),
    });
  }
}
