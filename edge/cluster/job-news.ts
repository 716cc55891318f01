import { z } from "zod";
import { type HeldJob, progressSchema } from "../../contracts/heartbeat.ts";
import { workingStepSchema } from "../../contracts/job-status.ts";

/** What a node said of a job that it holds. */
const toldSchema = z.object({
  kind: z.literal("told"),
  claim: z.int(),
  /** The heartbeat's: it rises within a claim. */
  sequence: z.int(),
  step: workingStepSchema,
  progress: progressSchema,
});
export type ToldOfJob = Readonly<z.infer<typeof toldSchema>>;

/** What the registry lets a watcher of a job know. `moved`: its row has changed, and says how. */
export const jobNewsSchema = z.discriminatedUnion("kind", [
  toldSchema,
  z.object({ kind: z.literal("moved") }),
]);
export type JobNews = Readonly<z.infer<typeof jobNewsSchema>>;

/** What a heartbeat of this sequence says of a job. */
export function toldBy({ claim, step, progress }: HeldJob, sequence: number): ToldOfJob {
  return { kind: "told", claim, sequence, step, progress };
}
