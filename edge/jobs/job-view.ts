import {
  defaultAudioBitrate,
  defaultFormat,
  effectiveVideoQuality,
} from "../../contracts/encoding-options.ts";
import { failureKinds } from "../../contracts/failure.ts";
import type { Progress } from "../../contracts/heartbeat.ts";
import { interruptionsMax } from "../../contracts/limits.ts";
import type { SignKey } from "../storage/file-signer.ts";
import type { JobRow } from "./find-job.store.ts";
import type { Job } from "./job-schema.ts";

/** A job as its owner sees it. `progress` is its worker's latest report, shown only while the job is Processing. */
export async function jobView(row: JobRow, progress: Progress | null, sign: SignKey): Promise<Job> {
  const isCompleted = row.status === "Completed";
  return {
    id: row.id,
    url: row.url,
    status: row.status,
    step: row.step,
    ...(await fileUrls(row, sign)),
    ...(row.status === "Failed" && { error: row.error ?? "" }),
    error_code: row.errorCode,
    retryable: row.errorCode && failureKinds[row.errorCode].retryable,
    created_at: row.createdAt,
    started_at: row.startedAt,
    finished_at: row.finishedAt,
    attempt: attemptOf(row),
    batch_id: row.batchId,
    storage_key: isCompleted ? row.storageKey : null,
    file_size: isCompleted ? row.fileSize : null,
    options: optionsOf(row),
    media: row.media,
    progress: row.status === "Processing" ? progress : null,
    timings: timingsOf(row),
  };
}

type FileUrls = Pick<Job, "storage_url" | "subtitle_url" | "thumbnail_url" | "subtitles">;

/** A key is reserved before its file exists, and cleared when the file is deleted: only in between is there a file. */
async function fileUrls(row: JobRow, sign: SignKey): Promise<FileUrls> {
  if (row.status !== "Completed") return { subtitle_url: null, thumbnail_url: null, subtitles: null };
  if (row.storageKey === null) return { subtitle_url: null, thumbnail_url: null, subtitles: [] };
  const sidecars = row.sidecars ?? [];
  const thumbnail = sidecars.find(({ kind }) => kind === "thumbnail");
  const [storageUrl, thumbnailUrl, subtitles] = await Promise.all([
    sign(row.storageKey),
    thumbnail ? sign(thumbnail.storage_key) : null,
    Promise.all(
      sidecars
        .filter(({ kind }) => kind === "subtitle")
        .map(async ({ language, storage_key }) => ({ storage_key, language, url: await sign(storage_key) })),
    ),
  ]);
  return {
    storage_url: storageUrl,
    subtitle_url: subtitles.find(({ storage_key }) => storage_key === row.preferredSubtitle)?.url ?? null,
    thumbnail_url: thumbnailUrl,
    subtitles: subtitles.map(({ language, url }) => ({ language, url })),
  };
}

/** A job that lost its last allowed worker has had as many attempts as losses. */
function attemptOf({ startedAt, interruptions }: JobRow): number {
  return startedAt === null ? 0 : Math.min(interruptions + 1, interruptionsMax);
}

function optionsOf({ options, filename, folder, webhookUrl }: JobRow): Job["options"] {
  return {
    format: options.format ?? defaultFormat,
    video_codec: options.video_codec ?? "copy",
    audio_codec: options.audio_codec ?? "copy",
    audio_bitrate: options.audio_bitrate ?? defaultAudioBitrate,
    video_quality: effectiveVideoQuality(options),
    filename,
    folder,
    webhook_url: webhookUrl,
    audio_only: options.audio_only,
    download_subtitles: options.download_subtitles,
    download_thumbnail: options.download_thumbnail,
    quality_preset: options.quality_preset,
  };
}

/**
 * A job that ended before anything was done has spent its whole life queued. Its times may come from clocks that differ
 * by a few milliseconds, but no duration is negative.
 */
function timingsOf({ createdAt, startedAt, finishedAt, timings }: JobRow): Job["timings"] {
  if (finishedAt === null) return null;
  return {
    queued_ms: Math.max(0, (startedAt ?? finishedAt) - createdAt),
    download_ms: timings?.download_ms ?? null,
    mux_ms: timings?.mux_ms ?? null,
    upload_ms: timings?.upload_ms ?? null,
    total_ms: Math.max(0, finishedAt - createdAt),
  };
}
