import { z } from "zod";
import { failureCodeSchema } from "./failure.ts";
import { fileFactsSchema } from "./file-facts.ts";
import { titleMaxCharacters } from "./limits.ts";
import { sidecarSuffixSchema, subtitlesMax } from "./sidecar-key.ts";
import { arrivedTaskSchema, claimedJobSchema, type Task } from "./task.ts";

/** How long each stage was active. Stages may overlap, so the sum can exceed the total. */
export const stageTimingsSchema = z.object({
  download_ms: z.int().nonnegative(),
  mux_ms: z.int().nonnegative(),
  upload_ms: z.int().nonnegative(),
});
export type StageTimings = z.infer<typeof stageTimingsSchema>;

/** What a node asks in the course of an attempt, each after the answer to the one before. */
const questionSchema = claimedJobSchema.extend({
  /**
   * Rises with each question of an attempt, and stays the same when one is repeated: an older one that arrives late is
   * refused. Not sent by nodes of earlier versions.
   */
  sequence: z.int().positive().optional(),
});

/** Title and extension are known: asks for the file's key. `taken` is a key that storage turned out to have already. */
const reserveKeyReport = questionSchema.extend({
  kind: z.literal("reserve_key"),
  /** The schema counts UTF-16 units; a code point takes at most two. */
  title: z
    .string()
    .max(2 * titleMaxCharacters)
    .nullable(),
  extension: z.string().regex(/^[a-z0-9]{2,5}$/),
  taken: z.string().nullable(),
  /** Suffixes of all sidecars that may be stored next to the file; empty from nodes of earlier versions. */
  sidecars: z
    .array(sidecarSuffixSchema)
    .max(subtitlesMax + 1)
    .default([]),
});
/** Sent before the first part, so that a later attempt can abort the upload of a lost one. */
const uploadStartedReport = questionSchema.extend({
  kind: z.literal("upload_started"),
  upload_id: z.string(),
});
/** Asks whether the object may appear. Once accepted, a cancel is refused and the job completes. */
const publishReport = questionSchema.extend({
  kind: z.literal("publish"),
  facts: fileFactsSchema,
});
const completedReport = claimedJobSchema.extend({
  kind: z.literal("completed"),
  timings: stageTimingsSchema,
});
const failedReport = claimedJobSchema.extend({
  kind: z.literal("failed"),
  /** A code known only to a later version still ends the job. */
  code: failureCodeSchema.catch("internal"),
  detail: z.string().nullable(),
});
/** The node hands the job back unfinished because it is draining: another attempt, not counted as an interruption. */
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

/** Body of POST /internal/reports, node to edge: everything that happened since the last one. */
export const reportRequestSchema = z.object({
  node_id: z.string(),
  /** Slots the node can fill immediately, including those of the jobs that this request ends; 0 while draining. */
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
  /** For an accepted `reserve_key`: the client's name for the file, and the object's key in the bucket. */
  key: z.object({ storage_key: z.string(), object_key: z.string() }).nullable(),
});
export type ReportResult = z.infer<typeof reportResultSchema>;

/** Results in the order of the reports, and new tasks for the freed slots. */
export const reportAnswerSchema = z.object({
  results: z.array(reportResultSchema),
  tasks: z.array(arrivedTaskSchema),
});
/** As sent by the edge, which only sends complete tasks. */
export type ReportAnswer = Omit<z.infer<typeof reportAnswerSchema>, "tasks"> & {
  readonly tasks: readonly Task[];
};
