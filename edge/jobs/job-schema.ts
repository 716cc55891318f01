import { z } from "@hono/zod-openapi";
import {
  audioBitrates,
  audioCodecs,
  formats,
  qualityPresets,
  videoCodecs,
} from "../../contracts/encoding-options.ts";
import { failureCodeSchema } from "../../contracts/failure.ts";
import { mediaSchema } from "../../contracts/file-facts.ts";
import { progressSchema } from "../../contracts/heartbeat.ts";
import { jobStatusSchema, jobStepSchema } from "../../contracts/job-status.ts";

const timestamp = z.int().openapi({ description: "Milliseconds since the Unix epoch." });
const milliseconds = z.int().nonnegative();

/** Every creation field but the URL, after defaults. */
const jobOptionsSchema = z.object({
  format: z.enum(formats),
  video_codec: z.enum(videoCodecs),
  audio_codec: z.enum(audioCodecs),
  audio_bitrate: z.enum(audioBitrates),
  video_quality: z.int(),
  filename: z.string().nullable(),
  folder: z.string().nullable(),
  webhook_url: z.string().nullable(),
  audio_only: z.boolean(),
  download_subtitles: z.boolean(),
  download_thumbnail: z.boolean(),
  quality_preset: z.enum(qualityPresets).nullable(),
});

const jobTimingsSchema = z.object({
  queued_ms: milliseconds.openapi({ description: "Until work on it began." }),
  download_ms: milliseconds.nullable(),
  mux_ms: milliseconds.nullable(),
  upload_ms: milliseconds.nullable(),
  total_ms: milliseconds.openapi({ description: "From creation to end; stages overlap." }),
});

/** The Job of GET /jobs/{id}. All but `error` and `storage_url` are always there, null until known. */
export const jobSchema = z
  .object({
    id: z.guid(),
    url: z.string(),
    status: jobStatusSchema,
    step: jobStepSchema,
    storage_url: z.string().optional().openapi({
      description: "Fetches the file for 24 hours from this answer. Only when Completed with a file.",
    }),
    subtitle_url: z.string().nullable(),
    thumbnail_url: z.string().nullable(),
    subtitles: z.array(z.object({ language: z.string().nullable(), url: z.string() })).nullable(),
    error: z.string().optional().openapi({ description: "Only when Failed." }),
    error_code: failureCodeSchema.nullable(),
    retryable: z
      .boolean()
      .nullable()
      .openapi({ description: "Of a failed job: whether trying again can help." }),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    attempt: z
      .int()
      .nonnegative()
      .openapi({ description: "0 before the first; one more for each lost worker." }),
    batch_id: z.guid().nullable(),
    storage_key: z.string().nullable().openapi({ description: "Null until uploaded, and after deletion." }),
    file_size: z.int().nullable().openapi({ description: "Bytes of the stored file." }),
    options: jobOptionsSchema,
    media: mediaSchema.nullable(),
    progress: progressSchema.nullable().openapi({ description: "Over the whole job, while Processing." }),
    timings: jobTimingsSchema.nullable(),
  })
  .openapi("Job");
export type Job = z.infer<typeof jobSchema>;
