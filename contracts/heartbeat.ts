import { z } from "zod";
import { workingStepSchema } from "./job-status.ts";
import { claimedJobSchema } from "./task.ts";

/** Progress over the whole job; `percent` never falls within an attempt. */
export const progressSchema = z.object({
  percent: z.number().min(0).max(100),
  bytes_downloaded: z.int().nonnegative(),
  bytes_total: z.int().nonnegative().nullable(),
  speed_bytes_per_second: z.number().nonnegative(),
  eta_seconds: z.number().nonnegative().nullable(),
});
export type Progress = z.infer<typeof progressSchema>;

export const heldJobSchema = claimedJobSchema.extend({
  step: workingStepSchema,
  progress: progressSchema,
});
export type HeldJob = z.infer<typeof heldJobSchema>;

/** What a node says about itself, for monitoring only: nothing is decided by it. */
export const nodeFactsSchema = z.object({
  /** As the programs report them. */
  yt_dlp: z.string(),
  ffmpeg: z.string(),
  /** False: instructions that strangers put into a URL reach yt-dlp. Not sent by nodes of earlier versions. */
  yt_dlp_sealed: z.boolean().optional(),
  /** What runs the scripts of pages, such as `node 24.21.0`; null: nothing. Not sent by nodes of earlier versions. */
  javascript_runtime: z.string().nullable().optional(),
  /** Milliseconds by which the edge's clock is ahead of the node's. */
  edge_ahead_ms: z.number(),
});
export type NodeFacts = z.infer<typeof nodeFactsSchema>;

/** Body of POST /internal/heartbeat, node to edge, every second. */
export const heartbeatSchema = z.object({
  /** New each time the process starts. */
  node_id: z.string(),
  hostname: z.string(),
  /** The address at which the edge reaches the node: `http(s)://host[:port]`, or `container://name`. */
  address: z.string(),
  /** Rises with each heartbeat of a process; an older one that arrives late is ignored. */
  sequence: z.int().nonnegative(),
  free_slots: z.int().nonnegative(),
  draining: z.boolean(),
  /** It signs its answers. Not sent by nodes of earlier versions, which do not. */
  signs_answers: z.boolean().optional(),
  /** Not sent by nodes of earlier versions. */
  facts: nodeFactsSchema.optional(),
  counts: z.object({
    downloading: z.int().nonnegative(),
    muxing: z.int().nonnegative(),
    uploading: z.int().nonnegative(),
  }),
  /** Every job from its acceptance until the edge has acknowledged its end. */
  jobs: z.array(heldJobSchema),
});
export type Heartbeat = z.infer<typeof heartbeatSchema>;

/** `cancel`: claims that no longer belong to the node; it stops them and cleans up. */
export const heartbeatAnswerSchema = z.object({
  cancel: z.array(claimedJobSchema),
});
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswerSchema>;
