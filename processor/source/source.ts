/** Codec names that Ferry's rules know; anything else is "other". */
export type VideoCodecName = "h264" | "h265" | "vp8" | "vp9" | "av1" | "other";
export type AudioCodecName = "aac" | "mp3" | "opus" | "vorbis" | "flac" | "pcm" | "other";

/** One stream, or one file of several streams, that the source offers. */
export interface SourceFormat {
  readonly id: string;
  readonly url: string;
  /** `file`: one HTTP resource. `segments`: HLS or DASH, fetched by the downloader program. */
  readonly protocol: "file" | "segments";
  readonly headers: Readonly<Record<string, string>>;
  /** Null: has none. "other" also where the source does not say which. */
  readonly videoCodec: VideoCodecName | null;
  readonly audioCodec: AudioCodecName | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly videoBitrateBps: number | null;
  readonly audioBitrateBps: number | null;
  /** Size in bytes where known, else null. An estimate is good enough for progress only. */
  readonly bytes: number | null;
}

/** What a URL turned out to be. */
export interface Source {
  readonly title: string | null;
  readonly durationSeconds: number | null;
  readonly formats: readonly SourceFormat[];
  /** The downloader's own description, kept for its fetching of `segments`; null for a direct file. */
  readonly info: Readonly<Record<string, unknown>> | null;
}
