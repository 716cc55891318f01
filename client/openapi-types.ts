// Made from docs/openapi.json by `npm run openapi`; not to be edited.

export interface paths {
    "/jobs/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create up to 100 jobs at once
         * @description Queues one job per URL, all with the same options. The jobs run independently and are polled through `GET /jobs/{id}`; `GET /batch/{id}` counts them together. One invalid item rejects the whole request, and `details` names its index. Webhooks and podcast shows are not supported here.
         */
        post: operations["createBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description The account's jobs, newest first. Filters may be combined.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Create a download job, or one for each episode of a podcast show
         * @description Queues the job; poll `GET /jobs/{id}` for its file. Responds immediately if the URL ends like a media file or belongs to a large video site. Any other is looked at first, for up to 10 seconds: if it turns out to be a podcast show, its feed is read, for up to 120 seconds, and every episode becomes a job of one batch: poll `GET /batch/{id}`. Either everything is created or nothing. A field that is `null` or an empty string counts as not given, and an option that does not apply is ignored.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job
         * @description The job as it is now. Poll every 2 to 5 seconds until `status` is Completed or Failed, or follow its events, then fetch `storage_url`.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Cancel a job that is still in the queue
         * @description Succeeds only while the job is Pending; it is then Failed with the error `Job cancelled by user`. To stop a job that is being processed, use `POST /jobs/{id}/cancel`.
         */
        delete: operations["deleteJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a job
         * @description Server-Sent Events: the job as it is now, then each change of its step, its progress (at most four a second) and its end, each as `GET /jobs/{id}` would show it. A comment every 15 seconds keeps the connection open. It closes after the job's end, and after 15 minutes: ask again then, with `Last-Event-ID`.
         */
        get: operations["getJobEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job, also while it is being processed
         * @description Stops the job wherever it is and leaves nothing in storage. Refused once it has ended, and while it is already publishing its file: for a small file, which is stored in one piece, this covers the whole upload.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed job
         * @description Queues a new job with the options of the failed one, which stays as it is. The new job counts towards usage, is in no batch, and stores its file where the account's new jobs do. Needs no body.
         */
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batch/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a batch
         * @description How many jobs of a batch have ended, and the ids of all its jobs. Progress in percent is `(completed_episodes + failed_episodes) / total_episodes * 100`.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batch/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel every unfinished job of a batch
         * @description Jobs that have ended stay as they are, and one that is already publishing its file completes. The batch then ends as usual, with the cancelled jobs counted as failed. Needs no body; repeating it is safe.
         */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's job and storage counters
         * @description Jobs by status, and the bytes stored so far. Counters are always exact.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs for the dashboard
         * @description Like `GET /jobs`, with fewer fields and larger pages.
         */
        get: operations["listDashboardJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List podcast shows for the dashboard
         * @description The account's podcast batches, newest first, at most 100.
         */
        get: operations["listDashboardBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the number of jobs that ended on each of the last 7 days
         * @description Oldest first, today last. Cancelled jobs are not counted; a day without jobs has zeros.
         */
        get: operations["getDaily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the activity of the whole service
         * @description Jobs at each step on all nodes heard from within the last 30 seconds, each counted once. May be polled every second.
         */
        get: operations["getCluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's usage
         * @description Counters are exact: they change in the same transaction as the jobs they count.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the service works
         * @description Returns 200 if the API reaches its database. Needs no key.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the secret that signs webhooks
         * @description Webhooks are signed according to Standard Webhooks: verify `webhook-signature` with this secret, over `webhook-id`, `webhook-timestamp` and the body.
         */
        get: operations["getWebhookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/webhook-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret that signs webhooks
         * @description For 24 hours, webhooks also carry a signature with the previous secret, so that receivers can switch without missing any. After several rotations within that time, up to ten previous secrets sign.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description The log of delivery attempts, newest first. An event is sent immediately, and then 5 s, 5 min, 30 min, 2 h, 5 h and 10 h after the previous attempt, until the receiver responds with a 2xx.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook again
         * @description Sends the event of this delivery again, immediately and with the same `webhook-id`, with the retries of a new one. Its attempts are logged as separate deliveries. An event can be sent again once a minute.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/bucket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the bucket that files go to
         * @description The configuration without its credentials, or `null` while files go to managed storage.
         */
        get: operations["getBucket"];
        put?: never;
        /**
         * Store files in your own bucket
         * @description The bucket is tested first: a small object is stored, read and deleted. From then on, the files of new jobs are stored there. Configure it again to change its credentials, which then also apply to the files already in it.
         */
        post: operations["configureBucket"];
        /**
         * Go back to managed storage
         * @description Files of new jobs go to managed storage. Files in the bucket stay there, and their jobs can still link to and delete them.
         */
        delete: operations["resetBucket"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a job's file
         * @description Permanently deletes the file, its subtitles and its thumbnail. The job remains, and usage does not decrease.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "batch_id": "0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5e",
         *       "total_jobs": 2,
         *       "job_ids": [
         *         "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
         *         "0197b1c2-7c1e-7b02-8d4f-1b2c3d4e5f60"
         *       ]
         *     }
         */
        BulkCreated: {
            /** Format: uuid */
            batch_id: string;
            total_jobs: number;
            job_ids: string[];
        };
        /**
         * @example {
         *       "error": "Invalid format (allowed: mp4, mkv, webm, mov, mp3)",
         *       "code": "invalid_request",
         *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
         *       "details": [
         *         {
         *           "path": "format",
         *           "message": "Invalid format (allowed: mp4, mkv, webm, mov, mp3)"
         *         }
         *       ]
         *     }
         */
        Error: {
            /** @description What is wrong, in one sentence. */
            error: string;
            /** @description A stable identifier for programs. */
            code: string;
            /** @description Also in the header `x-request-id`; quote it to support. */
            request_id: string;
            /** @description Every field that is wrong; the first one's message is `error`. */
            details?: {
                path: string;
                message: string;
            }[];
        };
        /**
         * @description A job or, for a podcast show, the batch of its episodes.
         * @example {
         *       "job_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
         *     }
         */
        Created: components["schemas"]["JobCreated"] | components["schemas"]["ShowCreated"];
        /**
         * @example {
         *       "job_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
         *     }
         */
        JobCreated: {
            /** Format: uuid */
            job_id: string;
        };
        /**
         * @example {
         *       "batch_id": "0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5e",
         *       "total_episodes": 2,
         *       "episode_jobs": [
         *         "0197b1c2-7c1d-7a53-9f5e-3c6d00000000",
         *         "0197b1c2-7c1d-7a53-9f5e-3c6d00000001"
         *       ]
         *     }
         */
        ShowCreated: {
            /** Format: uuid */
            batch_id: string;
            total_episodes: number;
            /** @description Ids of the episodes' jobs, in feed order. */
            episode_jobs: string[];
        };
        /**
         * @example {
         *       "jobs": [
         *         {
         *           "id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
         *           "url": "https://media.example/talk",
         *           "status": "Completed",
         *           "step": "Finished",
         *           "error": null,
         *           "created_at": 1769860800000,
         *           "finished_at": 1769860809350,
         *           "storage_key": "talks/Talk.mp4",
         *           "file_size": 48213377
         *         }
         *       ],
         *       "total": 1,
         *       "limit": 20,
         *       "offset": 0
         *     }
         */
        JobList: {
            jobs: {
                /** Format: uuid */
                id: string;
                url: string;
                /** @enum {string} */
                status: "Pending" | "Processing" | "Completed" | "Failed";
                /** @description Null until uploaded, and after the file is deleted. */
                storage_key: string | null;
                /** @description Only when Failed. */
                error: string | null;
                /** @enum {string} */
                step: "Queued" | "Downloading" | "Muxing" | "Uploading" | "Finished";
                /** @description Milliseconds since the Unix epoch. */
                created_at: number;
                /** @description Null while unfinished. */
                finished_at: number | null;
                /** @description Size of the stored file in bytes; null while unfinished. */
                file_size: number | null;
            }[];
            /** @description Number of matching jobs on all pages. */
            total: number;
            limit: number;
            offset: number;
        };
        /**
         * @example {
         *       "id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
         *       "url": "https://media.example/talk",
         *       "status": "Completed",
         *       "step": "Finished",
         *       "storage_url": "https://storage.example/ferry-media/talks/Talk.mp4?X-Amz-Signature=…",
         *       "subtitle_url": null,
         *       "thumbnail_url": null,
         *       "subtitles": [],
         *       "error_code": null,
         *       "retryable": null,
         *       "created_at": 1769860800000,
         *       "started_at": 1769860800120,
         *       "finished_at": 1769860809350,
         *       "attempt": 1,
         *       "batch_id": null,
         *       "storage_key": "talks/Talk.mp4",
         *       "file_size": 48213377,
         *       "options": {
         *         "format": "mp4",
         *         "video_codec": "copy",
         *         "audio_codec": "copy",
         *         "audio_bitrate": "192k",
         *         "video_quality": 23,
         *         "filename": null,
         *         "folder": "talks",
         *         "webhook_url": null,
         *         "audio_only": false,
         *         "download_subtitles": false,
         *         "download_thumbnail": false,
         *         "quality_preset": null
         *       },
         *       "media": {
         *         "container": "mp4",
         *         "duration_seconds": 612.4,
         *         "width": 1920,
         *         "height": 1080,
         *         "video_codec": "h264",
         *         "audio_codec": "aac",
         *         "bitrate_bps": 629832
         *       },
         *       "progress": null,
         *       "timings": {
         *         "queued_ms": 120,
         *         "download_ms": 8100,
         *         "mux_ms": 950,
         *         "upload_ms": 7900,
         *         "total_ms": 9350
         *       }
         *     }
         */
        Job: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @enum {string} */
            status: "Pending" | "Processing" | "Completed" | "Failed";
            /** @enum {string} */
            step: "Queued" | "Downloading" | "Muxing" | "Uploading" | "Finished";
            /** @description Link to the file, valid for 24 hours from this response. Only present when Completed with a file. */
            storage_url?: string;
            subtitle_url: string | null;
            thumbnail_url: string | null;
            subtitles: {
                language: string | null;
                url: string;
            }[] | null;
            /** @description Only when Failed. */
            error?: string;
            /** @enum {string|null} */
            error_code: "video_unavailable" | "sign_in_required" | "rate_limited" | "connection_timeout" | "format_not_available" | "unsupported_url" | "is_show" | "source_error" | "invalid_media" | "too_large" | "storage_error" | "time_limit" | "interrupted" | "cancelled" | "internal" | null;
            /** @description Whether retrying a failed job may help. */
            retryable: boolean | null;
            /** @description Milliseconds since the Unix epoch. */
            created_at: number;
            /** @description Milliseconds since the Unix epoch. */
            started_at: number | null;
            /** @description Milliseconds since the Unix epoch. */
            finished_at: number | null;
            /** @description 0 before the first attempt; increases with each lost worker. */
            attempt: number;
            /** Format: uuid */
            batch_id: string | null;
            /** @description Null until uploaded, and after deletion. */
            storage_key: string | null;
            /** @description Size of the stored file in bytes. */
            file_size: number | null;
            options: {
                /** @enum {string} */
                format: "mp4" | "mkv" | "webm" | "mov" | "mp3";
                /** @enum {string} */
                video_codec: "copy" | "h264" | "h265" | "vp9";
                /** @enum {string} */
                audio_codec: "copy" | "aac" | "opus" | "mp3";
                /** @enum {string} */
                audio_bitrate: "64k" | "128k" | "192k" | "256k" | "320k";
                video_quality: number;
                filename: string | null;
                folder: string | null;
                webhook_url: string | null;
                audio_only: boolean;
                download_subtitles: boolean;
                download_thumbnail: boolean;
                /** @enum {string|null} */
                quality_preset: "highest" | "high" | "medium" | "low" | "lowest" | null;
            };
            media: {
                container: string;
                duration_seconds: number | null;
                width: number | null;
                height: number | null;
                video_codec: string | null;
                audio_codec: string | null;
                bitrate_bps: number | null;
            } | null;
            /** @description Progress of the whole job, while Processing. */
            progress: {
                percent: number;
                bytes_downloaded: number;
                bytes_total: number | null;
                speed_bytes_per_second: number;
                eta_seconds: number | null;
            } | null;
            timings: {
                /** @description Until it was started. */
                queued_ms: number;
                download_ms: number | null;
                mux_ms: number | null;
                upload_ms: number | null;
                /** @description From creation to end; stages overlap. */
                total_ms: number;
            } | null;
        };
        /**
         * @description Server-Sent Events: the job's current state, then each change of its step, its progress (at most four a second) and its end, each as returned by `GET /jobs/{id}`. A comment every 15 seconds keeps the connection open. The stream closes when the job has ended, and after 15 minutes at the latest: reconnect with `Last-Event-ID`.
         * @example id: 1.52
         *     data: {"id":"0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f","status":"Processing","step":"Downloading",…}
         */
        JobEvents: string;
        /**
         * @example {
         *       "message": "Job cancelled",
         *       "job_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
         *     }
         */
        JobCancelled: {
            /** @enum {string} */
            message: "Job cancelled";
            /** Format: uuid */
            job_id: string;
        };
        /**
         * @example {
         *       "job_id": "0197b1c2-9a40-7d11-8b3e-5f0c2d4e6a81",
         *       "original_job_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
         *       "message": "Job queued for retry"
         *     }
         */
        JobRetried: {
            /** Format: uuid */
            job_id: string;
            /** Format: uuid */
            original_job_id: string;
            /** @enum {string} */
            message: "Job queued for retry";
        };
        /**
         * @example {
         *       "id": "0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5e",
         *       "show_url": null,
         *       "folder": "conference",
         *       "total_episodes": 2,
         *       "completed_episodes": 1,
         *       "failed_episodes": 0,
         *       "status": "processing",
         *       "episode_jobs": [
         *         "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
         *         "0197b1c2-7c1e-7b02-8d4f-1b2c3d4e5f60"
         *       ]
         *     }
         */
        Batch: {
            /** Format: uuid */
            id: string;
            /** @description Null for a bulk request's batch. */
            show_url: string | null;
            /** @description Storage folder of its files; empty if there is none. */
            folder: string;
            total_episodes: number;
            completed_episodes: number;
            /** @description Includes cancelled ones. */
            failed_episodes: number;
            /**
             * @description `processing` until every job has ended; then `completed`, or `finished` if any failed.
             * @enum {string}
             */
            status: "processing" | "completed" | "finished";
            /** @description Ids of its jobs, in order. */
            episode_jobs: string[];
        };
        /**
         * @example {
         *       "message": "Batch cancelled",
         *       "batch_id": "0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5e",
         *       "cancelled": 12
         *     }
         */
        BatchCancelled: {
            /** @enum {string} */
            message: "Batch cancelled";
            /** Format: uuid */
            batch_id: string;
            /** @description Number of jobs that this request cancelled. */
            cancelled: number;
        };
        /**
         * @example {
         *       "total_jobs": 42,
         *       "pending_jobs": 1,
         *       "processing_jobs": 2,
         *       "completed_jobs": 36,
         *       "failed_jobs": 3,
         *       "storage_used_bytes": 12750000000,
         *       "storage_used_gb": 12.75,
         *       "client_name": "Acme"
         *     }
         */
        Stats: {
            total_jobs: number;
            pending_jobs: number;
            processing_jobs: number;
            completed_jobs: number;
            /** @description Includes cancelled ones. */
            failed_jobs: number;
            /** @description Total size of all files ever uploaded. */
            storage_used_bytes: number;
            /** @description The same in units of 10^9 bytes. */
            storage_used_gb: number;
            /** @description The account's name. */
            client_name: string;
        };
        /**
         * @example {
         *       "jobs": [
         *         {
         *           "id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
         *           "url": "https://media.example/talk",
         *           "status": "Completed",
         *           "error": null,
         *           "storage_key": "talks/Talk.mp4"
         *         }
         *       ],
         *       "total": 1,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        DashboardJobs: {
            jobs: {
                /** Format: uuid */
                id: string;
                url: string;
                /** @enum {string} */
                status: "Pending" | "Processing" | "Completed" | "Failed";
                /** @description Only when Failed. */
                error: string | null;
                /** @description Null until uploaded, and after the file is deleted. */
                storage_key: string | null;
            }[];
            /** @description Number of matching jobs on all pages. */
            total: number;
            limit: number;
            offset: number;
        };
        /**
         * @example {
         *       "batches": [
         *         {
         *           "id": "0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5e",
         *           "show_url": "https://podcasts.example/weekly/feed",
         *           "folder": "Weekly",
         *           "total_episodes": 240,
         *           "completed_episodes": 180,
         *           "failed_episodes": 2,
         *           "status": "processing"
         *         }
         *       ]
         *     }
         */
        BatchList: {
            batches: {
                /** Format: uuid */
                id: string;
                /** @description Null for a bulk request's batch. */
                show_url: string | null;
                /** @description Storage folder of its files; empty if there is none. */
                folder: string;
                total_episodes: number;
                completed_episodes: number;
                /** @description Includes cancelled ones. */
                failed_episodes: number;
                /**
                 * @description `processing` until every job has ended; then `completed`, or `finished` if any failed.
                 * @enum {string}
                 */
                status: "processing" | "completed" | "finished";
            }[];
        };
        /**
         * @example {
         *       "daily_stats": [
         *         {
         *           "date": "2026-01-25",
         *           "completed": 0,
         *           "failed": 0
         *         },
         *         {
         *           "date": "2026-01-26",
         *           "completed": 14,
         *           "failed": 1
         *         },
         *         {
         *           "date": "2026-01-27",
         *           "completed": 9,
         *           "failed": 0
         *         },
         *         {
         *           "date": "2026-01-28",
         *           "completed": 0,
         *           "failed": 0
         *         },
         *         {
         *           "date": "2026-01-29",
         *           "completed": 3,
         *           "failed": 2
         *         },
         *         {
         *           "date": "2026-01-30",
         *           "completed": 7,
         *           "failed": 0
         *         },
         *         {
         *           "date": "2026-01-31",
         *           "completed": 5,
         *           "failed": 0
         *         }
         *       ]
         *     }
         */
        Daily: {
            daily_stats: {
                /**
                 * Format: date
                 * @description UTC.
                 */
                date: string;
                completed: number;
                failed: number;
            }[];
        };
        /**
         * @example {
         *       "total_downloading": 12,
         *       "total_muxing": 3,
         *       "total_uploading": 5
         *     }
         */
        Cluster: {
            total_downloading: number;
            total_muxing: number;
            total_uploading: number;
        };
        /**
         * @example {
         *       "client_name": "Acme",
         *       "usage_count": 42,
         *       "storage_usage_gb": 12.75,
         *       "limits": {
         *         "running": null,
         *         "pending": 100000
         *       }
         *     }
         */
        Usage: {
            /** @description The account's name. */
            client_name: string;
            /** @description Jobs created so far, including retries. */
            usage_count: number;
            /** @description Total size of all files ever uploaded in gigabytes (10^9 bytes); deleting files does not reduce it. */
            storage_usage_gb: number;
            /** @description Milliseconds since the Unix epoch; only when billing is enabled, like the next two. */
            billing_period_start?: number;
            /** @description When the next period starts. */
            billing_period_end?: number;
            /** @description Total size of the files uploaded in the current period, in gigabytes. */
            current_period_usage_gb?: number;
            /** @description The account's own limits, set by the operator. */
            limits: {
                /** @description How many of the account's jobs may run at a time; null: as many as there are slots to share. */
                running: number | null;
                /** @description Once this many of its jobs are waiting, a request that creates jobs is a 429; null: no limit. */
                pending: number | null;
            };
        };
        /**
         * @example {
         *       "status": "ok"
         *     }
         */
        Health: {
            /** @enum {string} */
            status: "ok";
        };
        /**
         * @example {
         *       "secret": "whsec_bm90IGEgc2VjcmV0LCBvbmx5IGFuIGV4YW1wbGUhISE="
         *     }
         */
        WebhookSecret: {
            /** @description `whsec_` and the key in base64. */
            secret: string;
        };
        /**
         * @example {
         *       "secret": "whsec_bm90IGEgc2VjcmV0LCBvbmx5IGFuIGV4YW1wbGUhISE=",
         *       "previous_valid_until": 1769947200000
         *     }
         */
        WebhookSecretRotated: {
            /** @description The new secret. */
            secret: string;
            /** @description Until when the previous secret is also used for signing. Milliseconds since the Unix epoch. */
            previous_valid_until: number;
        };
        /**
         * @example {
         *       "deliveries": [
         *         {
         *           "id": "0197b1c2-9d20-7b41-8c3f-1a2b3c4d5e6f",
         *           "event_id": "0197b1c2-9c11-7d08-b2aa-6f5e4d3c2b1a",
         *           "type": "job_completed",
         *           "job_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
         *           "batch_id": null,
         *           "try": 1,
         *           "http_status": 503,
         *           "error": "HTTP 503",
         *           "created_at": 1769860809400,
         *           "next_try_at": 1769860814650
         *         }
         *       ],
         *       "total": 1,
         *       "limit": 20,
         *       "offset": 0
         *     }
         */
        WebhookDeliveries: {
            deliveries: {
                /** Format: uuid */
                id: string;
                /**
                 * Format: uuid
                 * @description The `webhook-id` header of all deliveries of the event.
                 */
                event_id: string;
                /** @enum {string} */
                type: "job_completed" | "job_failed" | "batch_completed";
                /** Format: uuid */
                job_id: string | null;
                /** Format: uuid */
                batch_id: string | null;
                /** @description 1 for the first attempt; starts again when redelivered. */
                try: number;
                /** @description Null if there was no response. */
                http_status: number | null;
                /** @description Null if the response was a 2xx. */
                error: string | null;
                /** @description Milliseconds since the Unix epoch. */
                created_at: number;
                /** @description Null if this was the delivery's last attempt. */
                next_try_at: number | null;
            }[];
            /** @description Number of deliveries on all pages; with a filter at most 1000. */
            total: number;
            limit: number;
            offset: number;
        };
        /**
         * @example {
         *       "message": "Delivery queued",
         *       "delivery_id": "0197b1c2-9d20-7b41-8c3f-1a2b3c4d5e6f"
         *     }
         */
        WebhookRedelivered: {
            message: string;
            /** Format: uuid */
            delivery_id: string;
        };
        /**
         * @example {
         *       "message": "Bucket configured",
         *       "bucket": {
         *         "endpoint": "https://s3.example",
         *         "bucket": "my-media",
         *         "region": "auto"
         *       }
         *     }
         */
        BucketConfigured: {
            message: string;
            bucket: {
                endpoint: string;
                bucket: string;
                region: string;
            };
        };
        /**
         * @example {
         *       "bucket": {
         *         "endpoint": "https://s3.example",
         *         "bucket": "my-media",
         *         "region": "auto",
         *         "force_path_style": true
         *       }
         *     }
         */
        CurrentBucket: {
            /** @description Null: files go to managed storage. */
            bucket: {
                endpoint: string;
                bucket: string;
                region: string;
                force_path_style: boolean;
            } | null;
        };
        /**
         * @example {
         *       "message": "Using managed storage"
         *     }
         */
        BucketReset: {
            message: string;
        };
        /**
         * @example {
         *       "message": "File deleted",
         *       "job_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
         *       "deleted_key": "talks/Talk.mp4"
         *     }
         */
        FileDeleted: {
            message: string;
            /** Format: uuid */
            job_id: string;
            deleted_key: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createBulk: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by you, 1 to 255 printable ASCII characters. A request with the same key is executed only once: for 24 hours, repeating it returns the original 200 response. */
                "idempotency-key"?: string;
                /** @description Chosen by you, 1 to 255 printable ASCII characters. A request with the same key is executed only once: for 24 hours, repeating it returns the original 200 response. */
                "x-idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What to download, one job each. */
                    jobs: {
                        /**
                         * Format: uri
                         * @description Absolute http or https URL of a video, at most 2048 characters.
                         */
                        url: string;
                        /** @description Name of the file without its extension, which is sanitized. The default is the media's title. */
                        filename?: string | null;
                    }[];
                    /** @description Storage folder of the file, at most 200 characters, without `..` and without a leading `/`. */
                    folder?: string | null;
                    /**
                     * @description Container of the file; mp3 is audio only.
                     * @default mp4
                     */
                    format?: ("mp4" | "mkv" | "webm" | "mov" | "mp3") | null;
                    /**
                     * @description `copy` keeps the video unchanged.
                     * @default copy
                     */
                    video_codec?: ("copy" | "h264" | "h265" | "vp9") | null;
                    /**
                     * @description `copy` keeps the audio if the container can hold it; otherwise it is converted.
                     * @default copy
                     */
                    audio_codec?: ("copy" | "aac" | "opus" | "mp3") | null;
                    /**
                     * @description Applies when audio is re-encoded.
                     * @default 192k
                     */
                    audio_bitrate?: ("64k" | "128k" | "192k" | "256k" | "320k") | null;
                    /**
                     * @description CRF, lower is better; applies when video is re-encoded.
                     * @default 23
                     */
                    video_quality?: number | null;
                    /**
                     * @description Take only the audio.
                     * @default false
                     */
                    audio_only?: boolean | null;
                    /**
                     * @description Store subtitles next to the file.
                     * @default false
                     */
                    download_subtitles?: boolean | null;
                    /**
                     * @description Store the thumbnail next to the file.
                     * @default false
                     */
                    download_thumbnail?: boolean | null;
                    /** @description Limits the picture's shorter side: high 1080, medium 720, low 480, lowest 360. */
                    quality_preset?: ("highest" | "high" | "medium" | "low" | "lowest") | null;
                    /** @description Not supported in bulk requests. */
                    webhook_url?: null;
                };
            };
        };
        responses: {
            /** @description The jobs are queued. */
            200: {
                headers: {
                    /** @description Present if this is the stored response for the idempotency key. */
                    "idempotent-replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkCreated"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Request body too large (max 1 MiB)",
                     *       "code": "body_too_large",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type must be application/json",
                     *       "code": "unsupported_media_type",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description How many entries to return. */
                limit?: number;
                /** @description How many entries to skip. */
                offset?: number;
                /** @description Only jobs with this status, case-insensitive. */
                status?: "pending" | "processing" | "completed" | "failed";
                /** @description Only jobs of this batch. */
                batch_id?: string;
                /** @description A complete job id, or the beginning of the URL; `total` is then at most 1000. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by you, 1 to 255 printable ASCII characters. A request with the same key is executed only once: for 24 hours, repeating it returns the original 200 response. */
                "idempotency-key"?: string;
                /** @description Chosen by you, 1 to 255 printable ASCII characters. A request with the same key is executed only once: for 24 hours, repeating it returns the original 200 response. */
                "x-idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description Absolute http or https URL of a video, at most 2048 characters.
                     */
                    url: string;
                    /**
                     * @description Container of the file; mp3 is audio only.
                     * @default mp4
                     */
                    format?: ("mp4" | "mkv" | "webm" | "mov" | "mp3") | null;
                    /**
                     * @description `copy` keeps the video unchanged.
                     * @default copy
                     */
                    video_codec?: ("copy" | "h264" | "h265" | "vp9") | null;
                    /**
                     * @description `copy` keeps the audio if the container can hold it; otherwise it is converted.
                     * @default copy
                     */
                    audio_codec?: ("copy" | "aac" | "opus" | "mp3") | null;
                    /**
                     * @description Applies when audio is re-encoded.
                     * @default 192k
                     */
                    audio_bitrate?: ("64k" | "128k" | "192k" | "256k" | "320k") | null;
                    /**
                     * @description CRF, lower is better; applies when video is re-encoded.
                     * @default 23
                     */
                    video_quality?: number | null;
                    /** @description Name of the file without its extension, which is sanitized. The default is the media's title. */
                    filename?: string | null;
                    /** @description Storage folder of the file, at most 200 characters, without `..` and without a leading `/`. */
                    folder?: string | null;
                    /**
                     * Format: uri
                     * @description Receives a POST when the job ends. The rules of `url` apply.
                     */
                    webhook_url?: string | null;
                    /**
                     * @description Take only the audio.
                     * @default false
                     */
                    audio_only?: boolean | null;
                    /**
                     * @description Store subtitles next to the file.
                     * @default false
                     */
                    download_subtitles?: boolean | null;
                    /**
                     * @description Store the thumbnail next to the file.
                     * @default false
                     */
                    download_thumbnail?: boolean | null;
                    /** @description Limits the picture's shorter side: high 1080, medium 720, low 480, lowest 360. */
                    quality_preset?: ("highest" | "high" | "medium" | "low" | "lowest") | null;
                };
            };
        };
        responses: {
            /** @description The job, or every episode's job, is queued. */
            200: {
                headers: {
                    /** @description Present if this is the stored response for the idempotency key. */
                    "idempotent-replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Request body too large (max 1 MiB)",
                     *       "code": "body_too_large",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type must be application/json",
                     *       "code": "unsupported_media_type",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A podcast show could not be read in time; nothing was created. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Episode extraction timed out",
                     *       "code": "episode_extraction_timed_out",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Job not found",
                     *       "code": "job_not_found",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCancelled"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Job not found",
                     *       "code": "job_not_found",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJobEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `id` of the last event received: the stream continues after it. */
                "last-event-id"?: string;
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["JobEvents"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Job not found",
                     *       "code": "job_not_found",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCancelled"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Job not found",
                     *       "code": "job_not_found",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Request body too large (max 1 MiB)",
                     *       "code": "body_too_large",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type must be application/json",
                     *       "code": "unsupported_media_type",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by you, 1 to 255 printable ASCII characters. A request with the same key is executed only once: for 24 hours, repeating it returns the original 200 response. */
                "idempotency-key"?: string;
                /** @description Chosen by you, 1 to 255 printable ASCII characters. A request with the same key is executed only once: for 24 hours, repeating it returns the original 200 response. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new job is queued. */
            200: {
                headers: {
                    /** @description Present if this is the stored response for the idempotency key. */
                    "idempotent-replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRetried"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Job not found",
                     *       "code": "job_not_found",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Request body too large (max 1 MiB)",
                     *       "code": "body_too_large",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type must be application/json",
                     *       "code": "unsupported_media_type",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The batch's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Job not found",
                     *       "code": "job_not_found",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The batch's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The jobs are cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchCancelled"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Job not found",
                     *       "code": "job_not_found",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Request body too large (max 1 MiB)",
                     *       "code": "body_too_large",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type must be application/json",
                     *       "code": "unsupported_media_type",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDashboardJobs: {
        parameters: {
            query?: {
                /** @description How many entries to return. */
                limit?: number;
                /** @description How many entries to skip. */
                offset?: number;
                /** @description Only jobs with this status, case-insensitive. */
                status?: "pending" | "processing" | "completed" | "failed";
                /** @description Only jobs of this batch. */
                batch_id?: string;
                /** @description A complete job id, or the beginning of the URL; `total` is then at most 1000. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardJobs"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDashboardBatches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batches. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchList"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDaily: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Daily"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCluster: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cluster"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account's usage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It works. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service cannot work now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Service unavailable",
                     *       "code": "unavailable",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account's secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretRotated"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Request body too large (max 1 MiB)",
                     *       "code": "body_too_large",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type must be application/json",
                     *       "code": "unsupported_media_type",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only this job's deliveries. */
                job_id?: string;
                /** @description Only this batch's deliveries. */
                batch_id?: string;
                /** @description How many entries to return. */
                limit?: number;
                /** @description How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveries"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event is due for delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRedelivered"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Job not found",
                     *       "code": "job_not_found",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Request body too large (max 1 MiB)",
                     *       "code": "body_too_large",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type must be application/json",
                     *       "code": "unsupported_media_type",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBucket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bucket for new jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentBucket"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    configureBucket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description Absolute http or https URL of the S3 API, without the bucket.
                     */
                    endpoint: string;
                    /** @description The bucket's name; it must exist. */
                    bucket: string;
                    /**
                     * @description The storage's name for its region.
                     * @default auto
                     */
                    region?: string | null;
                    /** @description Belongs to a key that may store, read and delete objects in the bucket. */
                    access_key_id: string;
                    /** @description Stored encrypted; no response ever contains it. */
                    secret_access_key: string;
                    /**
                     * @description Whether the bucket is part of the URL's path rather than its host name.
                     * @default true
                     */
                    force_path_style?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The bucket works and is in use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BucketConfigured"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Request body too large (max 1 MiB)",
                     *       "code": "body_too_large",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type must be application/json",
                     *       "code": "unsupported_media_type",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetBucket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Managed storage is in use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BucketReset"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDeleted"];
                };
            };
            /** @description The request is invalid; `error` says why. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "video_quality must be an integer from 0 to 51",
                     *       "code": "invalid_request",
                     *       "details": [
                     *         {
                     *           "path": "video_quality",
                     *           "message": "video_quality must be an integer from 0 to 51"
                     *         }
                     *       ],
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Missing x-api-key header",
                     *       "code": "missing_api_key",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Job not found",
                     *       "code": "job_not_found",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path does not support this method; `Allow` lists those it does. */
            405: {
                headers: {
                    /** @description The methods of the path. */
                    allow: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Method not allowed",
                     *       "code": "method_not_allowed",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More requests than the deployment allows per key, or, where jobs are created, too many of the account's jobs waiting (`too_many_pending`) or a webhook sent again a moment ago (`resent_recently`); `Retry-After` says when to try again. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests, try again in 10 seconds",
                     *       "code": "too_many_requests",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service, or overload, in which case `Retry-After` is present. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error",
                     *       "request_id": "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
