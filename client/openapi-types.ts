// Made from docs/openapi.json by `npm run openapi`; not to be edited.

export interface paths {
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a download job
         * @description Queues the job and answers at once; poll `GET /jobs/{id}` for its file. A field that is `null` or an empty text counts as not given, and an option that does not apply is ignored.
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
         * @description The job as it is now. Poll every 2 to 5 seconds until `status` is Completed or Failed, then fetch `storage_url`.
         */
        get: operations["getJob"];
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
         * Read what the account has used
         * @description Counters are exact: they change in the same transaction as the job that they count.
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
         * Is the service able to work?
         * @description Answers 200 when the API reaches its database. Needs no key.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
            /** @description A stable word for programs. */
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
            /** @description Fetches the file for 24 hours from this answer. Only when Completed with a file. */
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
            error_code: "video_unavailable" | "sign_in_required" | "rate_limited" | "connection_timeout" | "format_not_available" | "unsupported_url" | "source_error" | "invalid_media" | "too_large" | "storage_error" | "time_limit" | "interrupted" | "cancelled" | "internal" | null;
            /** @description Of a failed job: whether trying again can help. */
            retryable: boolean | null;
            /** @description Milliseconds since the Unix epoch. */
            created_at: number;
            /** @description Milliseconds since the Unix epoch. */
            started_at: number | null;
            /** @description Milliseconds since the Unix epoch. */
            finished_at: number | null;
            /** @description 0 before the first; one more for each lost worker. */
            attempt: number;
            /** Format: uuid */
            batch_id: string | null;
            /** @description Null until uploaded, and after deletion. */
            storage_key: string | null;
            /** @description Bytes of the stored file. */
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
            /** @description Over the whole job, while Processing. */
            progress: {
                percent: number;
                bytes_downloaded: number;
                bytes_total: number | null;
                speed_bytes_per_second: number;
                eta_seconds: number | null;
            } | null;
            timings: {
                /** @description Until work on it began. */
                queued_ms: number;
                download_ms: number | null;
                mux_ms: number | null;
                upload_ms: number | null;
                /** @description From creation to end; stages overlap. */
                total_ms: number;
            } | null;
        };
        /**
         * @example {
         *       "client_name": "Acme",
         *       "usage_count": 42,
         *       "storage_usage_gb": 12.75
         *     }
         */
        Usage: {
            /** @description The account's name. */
            client_name: string;
            /** @description Jobs created so far, retries included. */
            usage_count: number;
            /** @description Gigabytes (10^9 bytes) of all files ever uploaded; deleting files does not lower it. */
            storage_usage_gb: number;
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createJob: {
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
                     * @description Absolute http or https URL of a video, at most 2048 characters.
                     */
                    url: string;
                    /**
                     * @description Container of the file; mp3 is audio alone.
                     * @default mp4
                     */
                    format?: ("mp4" | "mkv" | "webm" | "mov" | "mp3") | null;
                    /**
                     * @description `copy` keeps the video as it is.
                     * @default copy
                     */
                    video_codec?: ("copy" | "h264" | "h265" | "vp9") | null;
                    /**
                     * @description `copy` keeps the audio where the container can hold it, else it becomes what it can.
                     * @default copy
                     */
                    audio_codec?: ("copy" | "aac" | "opus" | "mp3") | null;
                    /**
                     * @description Used when audio is re-encoded.
                     * @default 192k
                     */
                    audio_bitrate?: ("64k" | "128k" | "192k" | "256k" | "320k") | null;
                    /**
                     * @description CRF, lower is better; used when video is re-encoded.
                     * @default 23
                     */
                    video_quality?: number | null;
                    /** @description Name of the file without its extension; sanitized. The media's title when not given. */
                    filename?: string | null;
                    /** @description Storage folder of the file, at most 200 characters, without `..` and without a leading `/`. */
                    folder?: string | null;
                    /**
                     * Format: uri
                     * @description Receives a POST when the job ends. The rules of `url` apply.
                     */
                    webhook_url?: string | null;
                    /**
                     * @description Take the audio alone.
                     * @default false
                     */
                    audio_only?: boolean | null;
                    /**
                     * @description Store subtitles beside the file.
                     * @default false
                     */
                    download_subtitles?: boolean | null;
                    /**
                     * @description Store the thumbnail beside the file.
                     * @default false
                     */
                    download_thumbnail?: boolean | null;
                    /** @description Caps the picture's shorter side: high 1080, medium 720, low 480, lowest 360. */
                    quality_preset?: ("highest" | "high" | "medium" | "low" | "lowest") | null;
                };
            };
        };
        responses: {
            /** @description The job is queued. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCreated"];
                };
            };
            /** @description The request is wrong; `error` says what is. */
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
            /** @description The key is missing or unknown. */
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
            /** @description A fault of the service, or too much load: then with `Retry-After`. */
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
            /** @description The request is wrong; `error` says what is. */
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
            /** @description The key is missing or unknown. */
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
            /** @description There is no such thing, or it is another account's. */
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
            /** @description A fault of the service, or too much load: then with `Retry-After`. */
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
            /** @description The key is missing or unknown. */
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
            /** @description A fault of the service, or too much load: then with `Retry-After`. */
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
            /** @description It is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description A fault of the service, or too much load: then with `Retry-After`. */
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
}
