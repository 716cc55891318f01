import { readFile } from "node:fs/promises";
import type { Recovery } from "./recoveries.ts";

/** A fault as it happened; `atMs` since the Unix epoch. */
export interface Fault {
  readonly kind: string;
  readonly atMs: number;
}

/**
 * What happened from a node's death until its job was started again: the faults in that time and the lines of these log
 * files that name the job, oldest first, each after its time in ms since the death.
 */
export async function recoveryStory(
  { jobId, killedAtMs, tookMs }: Recovery,
  faults: readonly Fault[],
  logFiles: readonly string[],
): Promise<string[]> {
  const texts = await Promise.all(logFiles.map((file) => readFile(file, "utf8")));
  const lines = texts
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.includes(jobId))
    .map((line) => ({ atMs: Number(/"time":(\d+)/.exec(line)?.[1]), text: line }));
  return [...lines, ...faults.map(({ atMs, kind }) => ({ atMs, text: kind }))]
    .map(({ atMs, text }) => ({ afterMs: atMs - killedAtMs, text }))
    .filter(({ afterMs }) => afterMs >= 0 && afterMs <= tookMs)
    .toSorted((a, b) => a.afterMs - b.afterMs)
    .map(({ afterMs, text }) => `${afterMs} ${text}`);
}
