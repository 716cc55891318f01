import type { OpenResponse } from "../network/open-response.ts";

/** Codec names known to Ferry's rules; anything else is "other". */
export type VideoCodecName = "h264" | "h265" | "vp8" | "vp9" | "av1" | "other";
export type AudioCodecName = "aac" | "mp3" | "opus" | "vorbis" | "flac" | "pcm" | "other";

/** One stream, or one file with several streams, offered by the source. */
export interface SourceFormat {
  readonly id: string;
  readonly url: string;
  /**
   * `file`: one HTTP resource. `fragments`: several, listed in `fragments`. `playlist`: those listed by the HLS
   * playlist at `url`. `program`: anything else, downloaded by yt-dlp.
   */
  readonly protocol: "file" | "fragments" | "playlist" | "program";
  /** `fragments` only: their URLs, or their paths below `fragmentBase`, in order; otherwise empty. */
  readonly fragments: readonly string[];
  readonly fragmentBase: string | null;
  /** `fragments` only: their minimum duration as listed; null if the list does not say. */
  readonly listedSeconds: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** `file` only: the source is slow for requests of more than this. Null: one request for everything. */
  readonly rangeBytes: number | null;
  /** Null: has none. "unknown": the source does not say which, or whether there is any; the file itself will tell. */
  readonly videoCodec: VideoCodecName | "unknown" | null;
  readonly audioCodec: AudioCodecName | "unknown" | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly audioBitrateBps: number | null;
  /** Higher is closer to the original language; 0 if the source does not say. */
  readonly languagePreference: number;
  /** Size in bytes if known, otherwise null. An estimate is only good enough for progress. */
  readonly bytes: number | null;
}

/** Where something small is that the source lists in addition to its media. */
export interface ListedFile {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Subtitles in one language, as listed by the source. */
export interface ListedSubtitle {
  /** As the source names it. */
  readonly language: string;
  /** The text itself, the files that contain it in order, or a playlist of such files. */
  readonly content:
    | { readonly text: string }
    | { readonly files: readonly ListedFile[] }
    | { readonly playlist: ListedFile };
}

/** What the source lists in addition to its media. */
export interface ListedSidecars {
  /** The language of the media, if the source says. */
  readonly language: string | null;
  /** One per language; automatic ones only if there are no others. */
  readonly subtitles: readonly ListedSubtitle[];
  /** Pictures that represent the media, worst to best. */
  readonly thumbnails: readonly ListedFile[];
}

/** What a URL turned out to be. */
export interface Source {
  /** The URL that was requested. */
  readonly url: string;
  readonly title: string | null;
  readonly durationSeconds: number | null;
  /** Worst to best in the source's own opinion. A direct media file is one format with unknown codecs. */
  readonly formats: readonly SourceFormat[];
  readonly listed: ListedSidecars;
  /**
   * The downloader's own description, a file in the job's folder, kept for downloading with it; null for a direct file.
   */
  readonly infoPath: string | null;
  /**
   * The first look at the only format, if that is a file whose beginning had to tell what it is; still open: the
   * download continues with it. It ends with the job's signal.
   */
  readonly firstLook: OpenResponse | null;
}
