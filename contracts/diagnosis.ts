import { z } from "zod";
import { nodeFactsSchema } from "./heartbeat.ts";

/** A live node as the edge knows it. */
export const nodeDiagnosisSchema = z.object({
  hostname: z.string(),
  address: z.string(),
  /** Milliseconds since its last heartbeat. */
  silent_ms: z.number(),
  draining: z.boolean(),
  jobs: z.int(),
  facts: nodeFactsSchema.nullable(),
  /** Why the edge cannot send it tasks; null: it can. */
  problem: z.string().nullable(),
});
export type NodeDiagnosis = z.infer<typeof nodeDiagnosisSchema>;

/** Response of POST /internal/diagnosis for `npm run doctor`: what only the edge itself can find out. */
export const diagnosisSchema = z.object({
  /** Names of the migrations applied to the database; null: it does not answer. */
  migrations: z.array(z.string()).nullable(),
  /** Why managed storage fails to store, return or delete an object; null: it does not. */
  storage_problem: z.string().nullable(),
  nodes: z.array(nodeDiagnosisSchema),
  /** Time since the sweep last completed, and since cron last called; null: not since the registry started. */
  swept_ms_ago: z.number().nullable(),
  cron_ms_ago: z.number().nullable(),
  /** How long the oldest due job has been waiting; null: none is due, or the database does not answer. */
  longest_wait_ms: z.number().nullable(),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;
