import { readFile } from "node:fs/promises";
import { z } from "zod";

/** A node that was killed; `atMs` since the Unix epoch. */
export interface Death {
  /** The index of the node's log. */
  readonly node: number;
  readonly atMs: number;
}

const jobLineSchema = z.object({
  time: z.number(),
  job_id: z.string(),
  claim: z.number(),
  message: z.string(),
});
type JobLine = z.infer<typeof jobLineSchema>;

const ends = new Set(["job completed", "job failed", "job returned", "job dropped"]);

/** The lines of a node's log that are about jobs. */
export async function readJobLines(logFile: string): Promise<JobLine[]> {
  const lines = (await readFile(logFile, "utf8")).split("\n");
  return lines.flatMap((line) => {
    const isJson = line.startsWith("{") && line.endsWith("}");
    const parsed = jobLineSchema.safeParse(isJson ? JSON.parse(line) : null);
    return parsed.success ? [parsed.data] : [];
  });
}

/** A job of a killed node that was started again. */
export interface Recovery {
  readonly jobId: string;
  readonly killedAtMs: number;
  readonly tookMs: number;
}

/**
 * Each job that a node was working on when it was killed, and that was started again; the quickest first. `logs`: one
 * per node, across all its restarts.
 */
export function recoveriesOf(deaths: readonly Death[], logs: readonly (readonly JobLine[])[]): Recovery[] {
  const acceptances = logs.flat().filter(({ message }) => message === "job accepted");
  const recoveries = deaths.flatMap(({ node, atMs }, index) => {
    const formerDeath = deaths.slice(0, index).findLast((death) => death.node === node);
    const life = (logs[node] ?? []).filter(({ time }) => time > (formerDeath?.atMs ?? 0) && time <= atMs);
    return heldAtEnd(life).flatMap(({ job_id, claim }) => {
      const again = acceptances
        .filter((line) => line.job_id === job_id && line.claim > claim)
        .map(({ time }) => time);
      // Returned or lost earlier, it already belonged to another node.
      if (again.length === 0 || Math.min(...again) < atMs) return [];
      return [{ jobId: job_id, killedAtMs: atMs, tookMs: Math.min(...again) - atMs }];
    });
  });
  return recoveries.toSorted((a, b) => a.tookMs - b.tookMs);
}

/** The jobs that a node had accepted and not finished when it died. */
function heldAtEnd(life: readonly JobLine[]): JobLine[] {
  const held = new Map<string, JobLine>();
  for (const line of life) {
    if (line.message === "job accepted") held.set(line.job_id, line);
    else if (ends.has(line.message) && held.get(line.job_id)?.claim === line.claim) held.delete(line.job_id);
  }
  return [...held.values()];
}
