import type { Recovery } from "./recoveries.ts";

/** The result of soaking a system. */
export interface SoakResult {
  /** How often each kind of fault occurred. */
  readonly faults: ReadonlyMap<string, number>;
  readonly completed: number;
  readonly failed: number;
  readonly neverEnded: number;
  /** Jobs counted in usage beyond those that were accepted; negative if one was not counted. */
  readonly countedTwice: number;
  /** Rows, files, uploads and folders that the audit found to be wrong. */
  readonly wrong: number;
  readonly nodesKilled: number;
  /** The jobs of killed nodes that were started again, the quickest first. */
  readonly recoveries: readonly Recovery[];
}

export interface Schedules {
  readonly ofProtocol: number;
  readonly ofEdge: number;
}

export const recoveryGoalMs = 45_000;

/** True if nothing was lost, nothing was done twice, and every job of a killed node was started again in time. */
export function isRight({ neverEnded, countedTwice, wrong, recoveries }: SoakResult): boolean {
  return neverEnded === 0 && countedTwice === 0 && wrong === 0 && slowest(recoveries) <= recoveryGoalMs;
}

/** One sentence on how soon jobs of killed nodes were started again. */
export function recoveryText({ nodesKilled, recoveries }: SoakResult): string {
  const median = recoveries[Math.floor(recoveries.length / 2)]?.tookMs ?? 0;
  return `${nodesKilled} nodes killed, ${recoveries.length} of their jobs restarted: after ${seconds(median)} s in the median, ${seconds(slowest(recoveries))} s at worst; the goal is at most ${recoveryGoalMs / 1000} s.`;
}

/** The record of a complete run, as Markdown. */
export function soakSection(result: SoakResult, schedules: Schedules): string {
  const { faults, completed, failed, neverEnded, countedTwice, wrong } = result;
  const all = [...faults.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...faults].toSorted(([, a], [, b]) => b - a).map(([fault, count]) => `${fault} ${count}`);
  return `\`npm run soak\` ran ${schedules.ofProtocol} schedules of faults on the simulator of the protocol and ${schedules.ofEdge} on the edge's own code, none broken, and then one real system under ${all} faults: ${kinds.join(", ")}.

${completed} jobs completed and ${failed} failed; **${neverEnded} lost, ${countedTwice} counted twice**, ${wrong} findings of the audit.

${recoveryText(result)}`;
}

function slowest(recoveries: readonly Recovery[]): number {
  return recoveries.at(-1)?.tookMs ?? 0;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
