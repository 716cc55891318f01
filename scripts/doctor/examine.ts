import { readdir } from "node:fs/promises";
import { askDiagnosis } from "./ask-diagnosis.ts";
import type { Finding } from "./finding.ts";
import { judgeDiagnosis } from "./judge-diagnosis.ts";
import type { Patient } from "./patient.ts";
import { checkEdge, checkKey, checkVersion } from "./public-checks.ts";
import { checkJob } from "./small-job.ts";

const migrationsFolder = new URL("../../drizzle/", import.meta.url);

export interface Examination {
  /** Whether to run a job through the whole system. */
  readonly withJob: boolean;
  /** What that job is to download; null: a sound from this machine. */
  readonly source: string | null;
}

/** Checks every part of a system, starting with what the others depend on: what depends on a fault is not checked. */
export async function examine(patient: Patient, { withJob, source }: Examination): Promise<Finding[]> {
  const edge = await checkEdge(patient);
  if (edge.state === "fault") return [edge];
  const findings = [edge, await checkVersion(patient), ...(await checkKey(patient))];
  const diagnosis = await askDiagnosis(patient);
  if ("state" in diagnosis) findings.push(diagnosis);
  else {
    const expected = {
      migrations: await migrationNames(),
      isLocal: patient.isLocal,
      now: Date.now(),
    };
    findings.push(...judgeDiagnosis(diagnosis, expected));
  }
  if (withJob && findings.every(({ state }) => state !== "fault"))
    findings.push(await checkJob(patient, source));
  return findings;
}

async function migrationNames(): Promise<string[]> {
  const names = await readdir(migrationsFolder);
  return names.filter((name) => name.endsWith(".sql")).sort();
}
