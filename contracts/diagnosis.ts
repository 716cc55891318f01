import { z } from "zod";
import { nodeFactsSchema } from "./heartbeat.ts";

/** A live node as the edge knows it. */
export const nodeDiagnosisSchema = z.object({
  hostname: z.string(),
  address: z.string(),
  /** Since its last heartbeat. */
  silent_ms: z.number(),
  draining: z.boolean(),
  jobs: z.int(),
  facts: nodeFactsSchema.nullable(),
  /** Why the edge cannot hand it tasks; null: it can. */
  problem: z.string().nullable(),
});
export type NodeDiagnosis = z.infer<typeof nodeDiagnosisSchema>;

/** Answer of POST /internal/diagnosis, which `npm run doctor` asks for: what only the edge itself can find out. */
export const diagnosisSchema = z.object({
  /** Names of the migrations that the database has had; null: it does not answer. */
  migrations: z.array(z.string()).nullable(),
  /** Why managed storage does not take, give and delete an object; null: it does. */
  storage_problem: z.string().nullable(),
  nodes: z.array(nodeDiagnosisSchema),
  /** Since the sweep last ran to its end, and since cron last called; null: not since the registry began. */
  swept_ms_ago: z.number().nullable(),
  cron_ms_ago: z.number().nullable(),
  /** How long the first job in line has been due; null: none is, or the database does not answer. */
  longest_wait_ms: z.number().nullable(),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;
