import {
  reportAnswerSchema,
  type Report,
  type ReportRequest,
  type ReportResult,
} from "../../contracts/report.ts";
import { internalPaths } from "../../contracts/signed-message.ts";
import type { ArrivedTask } from "../../contracts/task.ts";
import type { Log } from "../log.ts";
import { EdgeError, type EdgeClient } from "./edge-client.ts";
import { pause } from "./pause.ts";
import { retryDelayMs } from "./retry-delay.ts";

export interface ReportOutbox {
  /**
   * Sends a report until the edge has answered it, or until `signal`, if given, is aborted. `onResult` is called once,
   * before the tasks of the same answer are taken, so that they can use a slot it frees.
   */
  add(report: Report, onResult: (result: ReportResult) => void, signal?: AbortSignal): void;
  /** How many reports are waiting for an answer. */
  waiting(): number;
  /** Resolves as soon as no report is waiting for an answer. */
  whenEmpty(): Promise<void>;
  /** Sends nothing more. */
  stop(): void;
}

export interface ReportOutboxOptions {
  readonly nodeId: string;
  readonly client: EdgeClient;
  /** Slots to promise in a request with these reports. The promise holds until `onRequestOver` is called. */
  readonly promiseSlots: (reports: readonly Report[]) => number;
  /** Tasks from an answer; `log` carries the id of its request. */
  readonly onTasks: (tasks: readonly ArrivedTask[], log: Log) => void;
  /** The request was answered and its tasks were taken, or it failed. */
  readonly onRequestOver: () => void;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
}

interface Waiting {
  readonly report: Report;
  readonly onResult: (result: ReportResult) => void;
  readonly signal: AbortSignal | undefined;
}

const reportsMax = 500;
const timeoutMs = 10_000;

/**
 * Sends one request at a time: an idle node's report goes out immediately, and reports that arrive while a request is
 * in flight go together in the next one.
 */
export function createReportOutbox(options: ReportOutboxOptions): ReportOutbox {
  const { nodeId, client, promiseSlots, onTasks, onRequestOver, random, log } = options;
  let queue: Waiting[] = [];
  const stopped = new AbortController();
  const waiters: (() => void)[] = [];
  let busy = false;

  async function sendAll(): Promise<void> {
    let failures = 0;
    let atOnce = reportsMax;
    while (!stopped.signal.aborted) {
      queue = queue.filter(({ signal }) => !signal?.aborted);
      const batch = queue.slice(0, atOnce);
      if (batch.length === 0) break;
      try {
        await send(batch);
        failures = 0;
        // Sent one by one, they would be answered more slowly than a busy node reports.
        atOnce = Math.min(reportsMax, 2 * atOnce);
      } catch (error) {
        if (!(error instanceof EdgeError)) throw error;
        if (batch.length > 1 && mayBeOfOne(error)) {
          // One report must not hold up the others: send them one by one until the refused one is found.
          atOnce = 1;
        } else if (isUnacceptable(error)) {
          giveUp(batch[0]);
        } else {
          if (mayBeOfOne(error)) queue.push(...queue.splice(0, 1));
          failures += 1;
          await pause(Math.max(error.retryAfterMs, retryDelayMs(failures, random())), stopped.signal);
        }
      }
    }
    busy = false;
    for (const wake of waiters.splice(0)) wake();
  }

  async function send(batch: readonly Waiting[]): Promise<void> {
    const reports = batch.map(({ report }) => report);
    const body: ReportRequest = { node_id: nodeId, free_slots: promiseSlots(reports), reports };
    try {
      const { content, requestId } = await client.post(
        internalPaths.reports,
        body,
        reportAnswerSchema,
        timeoutMs,
      );
      if (content.results.length !== batch.length) throw new EdgeError("it did not answer every report", 200);
      queue.splice(0, batch.length);
      for (const [index, result] of content.results.entries()) batch[index]?.onResult(result);
      if (content.tasks.length > 0) {
        onTasks(content.tasks, requestId === null ? log : log.child({ request_id: requestId }));
      }
    } finally {
      onRequestOver();
    }
  }

  /** A report that the edge will never accept: its job is dropped here, and the edge gives it to another node. */
  function giveUp(waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    const { job_id, account_id, claim, kind } = waiting.report;
    log.error({ job_id, account_id, claim, kind }, "the edge refused a report, dropping its job");
    queue.shift();
    waiting.onResult({ job_id, outcome: "fenced", key: null });
  }

  return {
    add(report, onResult, signal) {
      queue.push({ report, onResult, signal });
      if (busy) return;
      busy = true;
      // In a microtask, so that everything reported in one go becomes one request.
      queueMicrotask(() => void sendAll());
    },
    waiting: () => queue.length,
    whenEmpty: () => (busy ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve()),
    stop: () => stopped.abort(),
  };
}

/** Whether the failure may be due to just one of the reports, so that the others could still be accepted. */
function mayBeOfOne(error: EdgeError): boolean {
  return isUnacceptable(error) || error.status === 500;
}

function isUnacceptable(error: EdgeError): boolean {
  return error.status === 400 || error.status === 413;
}
