import { z } from "zod";

/** What the finished file contains, as probed. Null if the container does not say. */
export const mediaSchema = z.object({
  container: z.string(),
  duration_seconds: z.number().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  video_codec: z.string().nullable(),
  audio_codec: z.string().nullable(),
  bitrate_bps: z.int().nullable(),
});
export type Media = z.infer<typeof mediaSchema>;

/** A file stored next to the main one. `bytes` counts towards storage usage. */
export const sidecarSchema = z.object({
  kind: z.enum(["subtitle", "thumbnail"]),
  /** Subtitles only: BCP 47, as the source names it. */
  language: z.string().nullable(),
  storage_key: z.string(),
  bytes: z.int().nonnegative(),
});
export type Sidecar = z.infer<typeof sidecarSchema>;

/** Everything the job's row keeps of the finished file, known before the upload is completed. */
export const fileFactsSchema = z.object({
  file_size: z.int().positive(),
  media: mediaSchema,
  sidecars: z.array(sidecarSchema),
  /** The sidecar that `subtitle_url` links to. */
  preferred_subtitle: z.string().nullable(),
});
export type FileFacts = z.infer<typeof fileFactsSchema>;
