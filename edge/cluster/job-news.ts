import { z } from "zod";
import { type HeldJob, progressSchema } from "../../contracts/heartbeat.ts";
import { workingStepSchema } from "../../contracts/job-status.ts";

/** What a node reported about a job it holds. */
const liveStateSchema = z.object({
  kind: z.literal("live"),
  claim: z.int(),
  /** The heartbeat's sequence number: it rises within a claim. */
  sequence: z.int(),
  step: workingStepSchema,
  progress: progressSchema,
});
export type LiveState = Readonly<z.infer<typeof liveStateSchema>>;

/** What the registry tells watchers of a job. `moved`: its row has changed and should be read. */
export const jobNewsSchema = z.discriminatedUnion("kind", [
  liveStateSchema,
  z.object({ kind: z.literal("moved") }),
]);
export type JobNews = Readonly<z.infer<typeof jobNewsSchema>>;

/** What a heartbeat with this sequence number says about a job. */
export function liveStateOf({ claim, step, progress }: HeldJob, sequence: number): LiveState {
  return { kind: "live", claim, sequence, step, progress };
}
