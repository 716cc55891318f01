import { z } from "zod";
import { type HeldJob, progressSchema } from "../../contracts/heartbeat.ts";
import { workingStepSchema } from "../../contracts/job-status.ts";

/** What a node reported about a job it holds. */
const toldSchema = z.object({
  kind: z.literal("told"),
  claim: z.int(),
  /** The heartbeat's sequence number: it rises within a claim. */
  sequence: z.int(),
  step: workingStepSchema,
  progress: progressSchema,
});
export type ToldOfJob = Readonly<z.infer<typeof toldSchema>>;

/** What the registry tells watchers of a job. `moved`: its row has changed and should be read. */
export const jobNewsSchema = z.discriminatedUnion("kind", [
  toldSchema,
  z.object({ kind: z.literal("moved") }),
]);
export type JobNews = Readonly<z.infer<typeof jobNewsSchema>>;

/** What a heartbeat with this sequence number says about a job. */
export function toldBy({ claim, step, progress }: HeldJob, sequence: number): ToldOfJob {
  return { kind: "told", claim, sequence, step, progress };
}
