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

/** Every creation field except the URL, after defaults. */
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
  queued_ms: milliseconds.openapi({ description: "Until it was started." }),
  download_ms: milliseconds.nullable(),
  mux_ms: milliseconds.nullable(),
  upload_ms: milliseconds.nullable(),
  total_ms: milliseconds.openapi({ description: "From creation to end; stages overlap." }),
});

const exampleJob = {
  id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
  url: "https://media.example/talk",
  status: "Completed",
  step: "Finished",
  storage_url: "https://storage.example/ferry-media/talks/Talk.mp4?X-Amz-Signature=…",
  subtitle_url: null,
  thumbnail_url: null,
  subtitles: [],
  error_code: null,
  retryable: null,
  created_at: 1769860800000,
  started_at: 1769860800120,
  finished_at: 1769860809350,
  attempt: 1,
  batch_id: null,
  storage_key: "talks/Talk.mp4",
  file_size: 48213377,
  options: {
    format: "mp4",
    video_codec: "copy",
    audio_codec: "copy",
    audio_bitrate: "192k",
    video_quality: 23,
    filename: null,
    folder: "talks",
    webhook_url: null,
    audio_only: false,
    download_subtitles: false,
    download_thumbnail: false,
    quality_preset: null,
  },
  media: {
    container: "mp4",
    duration_seconds: 612.4,
    width: 1920,
    height: 1080,
    video_codec: "h264",
    audio_codec: "aac",
    bitrate_bps: 629832,
  },
  progress: null,
  timings: { queued_ms: 120, download_ms: 8100, mux_ms: 950, upload_ms: 7900, total_ms: 9350 },
};

/** The Job of GET /jobs/{id}. All fields but `error` and `storage_url` are always present, null until known. */
export const jobSchema = z
  .object({
    id: z.guid(),
    url: z.string(),
    status: jobStatusSchema,
    step: jobStepSchema,
    storage_url: z.string().optional().openapi({
      description:
        "Link to the file, valid for 24 hours from this response. Only present when Completed with a file.",
    }),
    subtitle_url: z.string().nullable(),
    thumbnail_url: z.string().nullable(),
    subtitles: z.array(z.object({ language: z.string().nullable(), url: z.string() })).nullable(),
    error: z.string().optional().openapi({ description: "Only when Failed." }),
    error_code: failureCodeSchema.nullable(),
    retryable: z.boolean().nullable().openapi({ description: "Whether retrying a failed job may help." }),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    attempt: z
      .int()
      .nonnegative()
      .openapi({ description: "0 before the first attempt; increases with each lost worker." }),
    batch_id: z.guid().nullable(),
    storage_key: z.string().nullable().openapi({ description: "Null until uploaded, and after deletion." }),
    file_size: z.int().nullable().openapi({ description: "Size of the stored file in bytes." }),
    options: jobOptionsSchema,
    media: mediaSchema.nullable(),
    progress: progressSchema
      .nullable()
      .openapi({ description: "Progress of the whole job, while Processing." }),
    timings: jobTimingsSchema.nullable(),
  })
  .openapi("Job", { example: exampleJob });
export type Job = z.infer<typeof jobSchema>;
