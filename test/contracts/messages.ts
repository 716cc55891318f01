import { z } from "zod";
import type { FileFacts } from "../../contracts/file-facts.ts";
import { heartbeatAnswerSchema, heartbeatSchema } from "../../contracts/heartbeat.ts";
import { reportAnswerSchema, reportRequestSchema } from "../../contracts/report.ts";
import { showLineSchema, showRequestSchema } from "../../contracts/show.ts";
import { type Task, taskAnswerSchema, taskRequestSchema, taskSchema } from "../../contracts/task.ts";

/** Every kind of message between edge and node, by its name in the recordings. */
export const messageSchemas = {
  heartbeat: heartbeatSchema,
  heartbeat_answer: heartbeatAnswerSchema,
  reports: reportRequestSchema,
  report_answer: reportAnswerSchema,
  tasks: taskRequestSchema,
  /** Also recorded by itself, because an unreadable one in a message is skipped. */
  task: taskSchema,
  task_answer: taskAnswerSchema,
  show_request: showRequestSchema,
  show_line: showLineSchema,
} satisfies Record<string, z.ZodType>;

export type MessageName = keyof typeof messageSchemas;

/** The messages of one version: examples, and its schemas as JSON Schema. */
export const recordingSchema = z.object({
  schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
  messages: z.record(z.string(), z.array(z.unknown())),
});
export type Recording = z.infer<typeof recordingSchema>;

const claimed = { account_id: "account-1", job_id: "job-1", claim: 3 };
const facts: FileFacts = {
  file_size: 97_349,
  media: {
    container: "mp4",
    duration_seconds: 6.05,
    width: 1280,
    height: 720,
    video_codec: "h264",
    audio_codec: "aac",
    bitrate_bps: null,
  },
  sidecars: [{ kind: "subtitle", language: "en", storage_key: "talk.en.vtt", bytes: 311 }],
  preferred_subtitle: "talk.en.vtt",
};
const task: Task = {
  ...claimed,
  url: "https://media.example/talk.m3u8",
  options: {
    format: "mp4",
    video_codec: null,
    audio_codec: "aac",
    audio_bitrate: null,
    video_quality: null,
    quality_preset: "high",
    audio_only: false,
    download_subtitles: true,
    download_thumbnail: false,
  },
  storage: {
    endpoint: "https://storage.example",
    bucket: "ferry-media",
    region: "auto",
    access_key_id: "key-id",
    secret_access_key: "key-secret",
    force_path_style: true,
  },
  limits: { source_file_bytes: 1e9, source_silence_ms: 60_000, time_left_ms: 3_600_000 },
  earlier: { storage_key: "talk.mp4", object_key: "account-1/job-1/talk.mp4", upload_id: "upload-1", facts },
};

/** This version's messages, at least one of each kind. */
export const messages = {
  heartbeat: [
    {
      node_id: "node-1",
      hostname: "host-1",
      address: "https://node-1.example",
      sequence: 7,
      free_slots: 3,
      draining: false,
      counts: { downloading: 1, muxing: 0, uploading: 0 },
      jobs: [
        {
          ...claimed,
          step: "Downloading",
          progress: {
            percent: 12.5,
            bytes_downloaded: 1000,
            bytes_total: null,
            speed_bytes_per_second: 250.5,
            eta_seconds: 3,
          },
        },
      ],
    },
  ],
  heartbeat_answer: [{ cancel: [claimed] }],
  reports: [
    {
      node_id: "node-1",
      free_slots: 1,
      reports: [
        {
          ...claimed,
          sequence: 1,
          kind: "reserve_key",
          title: "A talk",
          extension: "mp4",
          taken: null,
          sidecars: ["en.vtt"],
        },
        { ...claimed, sequence: 2, kind: "upload_started", upload_id: "upload-1" },
        { ...claimed, sequence: 3, kind: "publish", facts },
        { ...claimed, kind: "completed", timings: { download_ms: 15, mux_ms: 80, upload_ms: 143 } },
        { ...claimed, kind: "failed", code: "source_error", detail: "HTTP 503" },
        { ...claimed, kind: "returned" },
      ],
    },
  ],
  report_answer: [
    {
      results: [
        {
          job_id: "job-1",
          outcome: "accepted",
          key: { storage_key: "talk.mp4", object_key: "account-1/job-1/talk.mp4" },
        },
        { job_id: "job-2", outcome: "fenced", key: null },
      ],
      tasks: [task],
    },
  ],
  tasks: [{ tasks: [task, { ...task, earlier: null }] }],
  task: [task, { ...task, earlier: null }],
  task_answer: [{ results: [{ job_id: "job-1", claim: 3, accepted: true }] }],
  show_request: [
    {
      url: "https://feeds.example/show.xml",
      account_id: "account-1",
      is_certain: true,
      limits: { look_ms: 10_000, extraction_ms: 120_000, silence_ms: 60_000, feed_bytes: 52_428_800 },
    },
  ],
  show_line: [
    { kind: "not_a_show" },
    { kind: "is_show" },
    { kind: "show", title: "Tides", feed_url: "https://feeds.example/show.xml" },
    { kind: "episode", url: "https://media.example/1.mp3", title: null },
    { kind: "end", episodes: 1 },
    { kind: "failed", code: "timed_out" },
  ],
} satisfies { [Name in MessageName]: z.input<(typeof messageSchemas)[Name]>[] };
