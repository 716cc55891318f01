import type { OpenResponse } from "../network/open-response.ts";

/** Codec names that Ferry's rules know; anything else is "other". */
export type VideoCodecName = "h264" | "h265" | "vp8" | "vp9" | "av1" | "other";
export type AudioCodecName = "aac" | "mp3" | "opus" | "vorbis" | "flac" | "pcm" | "other";

/** One stream, or one file of several streams, that the source offers. */
export interface SourceFormat {
  readonly id: string;
  readonly url: string;
  /**
   * `file`: one HTTP resource. `fragments`: several, which `fragments` lists. `playlist`: those that the HLS playlist at
   * `url` lists. `program`: whatever else, fetched by the downloader program.
   */
  readonly protocol: "file" | "fragments" | "playlist" | "program";
  /** `fragments` only: their URLs or their paths below `fragmentBase`, in order; else empty. */
  readonly fragments: readonly string[];
  readonly fragmentBase: string | null;
  /** `fragments` only: their minimum duration as listed; null if the list does not say. */
  readonly listedSeconds: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** `file` only: the source is slow on requests for more than this at once. Null: one request for all. */
  readonly rangeBytes: number | null;
  /** Null: has none. "unknown": the source does not say which, or whether there is any; the file itself will tell. */
  readonly videoCodec: VideoCodecName | "unknown" | null;
  readonly audioCodec: AudioCodecName | "unknown" | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly audioBitrateBps: number | null;
  /** Higher is nearer to the original's language; 0 where the source says nothing. */
  readonly languagePreference: number;
  /** Size in bytes where known, else null. An estimate is good enough for progress only. */
  readonly bytes: number | null;
}

/** Where something small lies that the source names beside its media. */
export interface ListedFile {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Subtitles in one language, as the source lists them. */
export interface ListedSubtitle {
  /** As the source names it. */
  readonly language: string;
  /** Their text itself, the files that hold it in order, or a playlist of such files. */
  readonly content:
    | { readonly text: string }
    | { readonly files: readonly ListedFile[] }
    | { readonly playlist: ListedFile };
}

/** What the source lists beside its media. */
export interface ListedSidecars {
  /** The language that the media are in, where the source says. */
  readonly language: string | null;
  /** One a language; automatic ones only where there are no others. */
  readonly subtitles: readonly ListedSubtitle[];
  /** Pictures that stand for the media, worst to best. */
  readonly thumbnails: readonly ListedFile[];
}

/** What a URL turned out to be. */
export interface Source {
  /** What was asked for. */
  readonly url: string;
  readonly title: string | null;
  readonly durationSeconds: number | null;
  /** Worst to best in the source's own opinion. A direct media file is one format of unknown codecs. */
  readonly formats: readonly SourceFormat[];
  readonly listed: ListedSidecars;
  /** The downloader's own description, a file in the job's folder, kept for its own fetching; null for a direct file. */
  readonly infoPath: string | null;
  /** The first look at a direct file, still open: the download goes on with it. It ends with the job's signal. */
  readonly firstLook: OpenResponse | null;
}
