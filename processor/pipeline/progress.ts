import type { Progress } from "../../contracts/heartbeat.ts";

/** Each stage's weight in the percentage. */
const worth = { download: 60, mux: 15, upload: 25 } as const;

/** How much of each stage is done, from 0 to 1. */
export interface StageShares {
  readonly download: number;
  readonly mux: number;
  readonly upload: number;
}

/** How far a job is, and the samples its speed is computed from. Times are milliseconds of any one clock. */
export interface ProgressState {
  readonly startedMs: number;
  readonly percent: number;
  /** Whether the job has a mux stage at all. */
  readonly hasMux: boolean;
  readonly shares: StageShares;
  readonly bytesDownloaded: number;
  readonly bytesTotal: number | null;
  readonly bytesUploaded: number;
  /** Bytes moved, down and up, at points within the last seconds; oldest first. */
  readonly samples: readonly { readonly atMs: number; readonly bytes: number }[];
}

/** The progress of a job that has just started. */
export function startOfProgress(nowMs: number): ProgressState {
  return {
    startedMs: nowMs,
    percent: 0,
    hasMux: true,
    shares: { download: 0, mux: 0, upload: 0 },
    bytesDownloaded: 0,
    bytesTotal: null,
    bytesUploaded: 0,
    samples: [{ atMs: nowMs, bytes: 0 }],
  };
}

/** What has changed; missing fields stay as they are. */
export interface ProgressNews {
  readonly hasMux?: boolean;
  readonly shares?: Partial<StageShares>;
  readonly bytesDownloaded?: number;
  readonly bytesTotal?: number | null;
  readonly bytesUploaded?: number;
}

/** The state after the news. Its percentage never falls. */
export function advance(before: ProgressState, news: ProgressNews, nowMs: number): ProgressState {
  const next = { ...before, ...news, shares: { ...before.shares, ...news.shares } };
  const { download, mux, upload } = next.shares;
  const muxWorth = next.hasMux ? worth.mux : 0;
  const done = worth.download * within1(download) + muxWorth * within1(mux) + worth.upload * within1(upload);
  const percent = (100 * done) / (worth.download + muxWorth + worth.upload);
  const moved = next.bytesDownloaded + next.bytesUploaded;
  return {
    ...next,
    percent: Math.max(before.percent, percent),
    samples: sampled(before.samples, moved, nowMs),
  };
}

function within1(share: number): number {
  return Math.min(1, Math.max(0, share));
}

const windowMs = 5000;
const sampleEveryMs = 250;

function sampled(samples: ProgressState["samples"], bytes: number, nowMs: number): ProgressState["samples"] {
  const last = samples.at(-1);
  if (last !== undefined && nowMs - last.atMs < sampleEveryMs) return samples;
  return [...samples.filter(({ atMs }) => nowMs - atMs <= windowMs), { atMs: nowMs, bytes }];
}

/** The state as it is shown to clients. */
export function progressOf(state: ProgressState, nowMs: number): Progress {
  const { percent, bytesDownloaded, bytesTotal, startedMs } = state;
  return {
    percent: Math.min(100, Math.round(percent * 10) / 10),
    bytes_downloaded: bytesDownloaded,
    bytes_total: bytesTotal === null ? null : Math.max(bytesTotal, bytesDownloaded),
    speed_bytes_per_second: speed(state, nowMs),
    eta_seconds: eta(percent, nowMs - startedMs),
  };
}

function speed({ samples, bytesDownloaded, bytesUploaded }: ProgressState, nowMs: number): number {
  const [oldest] = samples;
  if (oldest === undefined || nowMs <= oldest.atMs) return 0;
  const bytes = bytesDownloaded + bytesUploaded - oldest.bytes;
  return Math.max(0, Math.round((bytes * 1000) / (nowMs - oldest.atMs)));
}

/** Below this, an estimate from the elapsed time is worthless. */
const percentForEta = 2;

function eta(percent: number, elapsedMs: number): number | null {
  if (percent < percentForEta) return null;
  return Math.round((elapsedMs * (100 - percent)) / percent / 1000);
}
