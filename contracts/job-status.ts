import { z } from "zod";

export const jobStatuses = ["Pending", "Processing", "Completed", "Failed"] as const;
export const jobStatusSchema = z.enum(jobStatuses);
export type JobStatus = z.infer<typeof jobStatusSchema>;

/** Pipeline order: a later step has a larger index. */
export const jobSteps = ["Queued", "Downloading", "Muxing", "Uploading", "Finished"] as const;
export const jobStepSchema = z.enum(jobSteps);
export type JobStep = z.infer<typeof jobStepSchema>;

/** The steps a node reports while it works on a job. */
export const workingSteps = ["Downloading", "Muxing", "Uploading"] as const;
export const workingStepSchema = z.enum(workingSteps);
export type WorkingStep = z.infer<typeof workingStepSchema>;

/** True when `step` comes after `than` in the pipeline. */
export function isLaterStep(step: JobStep, than: JobStep): boolean {
  return jobSteps.indexOf(step) > jobSteps.indexOf(than);
}
