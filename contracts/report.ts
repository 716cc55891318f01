import { z } from "zod";
import { failureCodeSchema } from "./failure.ts";
import { fileFactsSchema } from "./file-facts.ts";
import { titleMaxCharacters } from "./limits.ts";
import { sidecarSuffixSchema, subtitlesMax } from "./sidecar-key.ts";
import { arrivedTaskSchema, claimedJobSchema, type Task } from "./task.ts";

/** Busy times of the stages; stages may overlap, so their sum can exceed the total. */
export const stageTimingsSchema = z.object({
  download_ms: z.int().nonnegative(),
  mux_ms: z.int().nonnegative(),
  upload_ms: z.int().nonnegative(),
});
export type StageTimings = z.infer<typeof stageTimingsSchema>;

/** Title and extension are known: which key is the file's? `taken` names a key that storage turned out to hold. */
const reserveKeyReport = claimedJobSchema.extend({
  kind: z.literal("reserve_key"),
  /** Counted in units here, of which a code point takes at most two. */
  title: z
    .string()
    .max(2 * titleMaxCharacters)
    .nullable(),
  extension: z.string().regex(/^[a-z0-9]{2,5}$/),
  taken: z.string().nullable(),
  /** Suffixes of all sidecars that may come to lie beside the file; a node of an earlier version knows none. */
  sidecars: z
    .array(sidecarSuffixSchema)
    .max(subtitlesMax + 1)
    .default([]),
});
/** Sent before the first part, so that a later attempt can abort the upload of a lost one. */
const uploadStartedReport = claimedJobSchema.extend({
  kind: z.literal("upload_started"),
  upload_id: z.string(),
});
/** May the object appear? Once accepted, a cancel is refused and the job completes. */
const publishReport = claimedJobSchema.extend({
  kind: z.literal("publish"),
  facts: fileFactsSchema,
});
const completedReport = claimedJobSchema.extend({
  kind: z.literal("completed"),
  timings: stageTimingsSchema,
});
const failedReport = claimedJobSchema.extend({
  kind: z.literal("failed"),
  /** A code that only a later version's node knows ends the job all the same. */
  code: failureCodeSchema.catch("internal"),
  detail: z.string().nullable(),
});
/** The node gives the job back unfinished (it drains): another attempt, not counted as an interruption. */
const returnedReport = claimedJobSchema.extend({ kind: z.literal("returned") });

export const reportSchema = z.discriminatedUnion("kind", [
  reserveKeyReport,
  uploadStartedReport,
  publishReport,
  completedReport,
  failedReport,
  returnedReport,
]);
export type Report = z.infer<typeof reportSchema>;

/** Body of POST /internal/reports, node to edge: everything that came up since the last one. */
export const reportRequestSchema = z.object({
  node_id: z.string(),
  /** Slots the node can fill at once, those of the jobs reported ended here included; 0 while draining. */
  free_slots: z.int().nonnegative(),
  reports: z.array(reportSchema).min(1).max(500),
});
export type ReportRequest = z.infer<typeof reportRequestSchema>;

/**
 * `accepted`: done, now or by an earlier copy of the report. `fenced`: the claim is dead, the node must drop the job.
 */
export const reportResultSchema = z.object({
  job_id: z.string(),
  outcome: z.enum(["accepted", "fenced"]),
  /** Of an accepted `reserve_key`: the client's name for the file, and where it lies in the bucket. */
  key: z.object({ storage_key: z.string(), object_key: z.string() }).nullable(),
});
export type ReportResult = z.infer<typeof reportResultSchema>;

/** Results in the order of the reports, and new tasks for the slots that came free. */
export const reportAnswerSchema = z.object({
  results: z.array(reportResultSchema),
  tasks: z.array(arrivedTaskSchema),
});
/** As the edge says it: it sends whole tasks alone. */
export type ReportAnswer = Omit<z.infer<typeof reportAnswerSchema>, "tasks"> & {
  readonly tasks: readonly Task[];
};
