import { readFileSync } from "node:fs";
import { readSegmentList } from "../download/read-segment-list.ts";
import { parseSubtitleFile } from "../sidecars/parse-subtitle-file.ts";
import { readSubtitlePlaylist } from "../sidecars/read-subtitle-playlist.ts";
import { oneSubtitle } from "../sidecars/one-subtitle.ts";
import { defaultAudioUrls } from "../source/default-audio-urls.ts";
import { limitDescription } from "../source/limit-description.ts";
import { readManifest } from "../source/manifest.ts";
import { readDescription } from "../source/read-description.ts";

/** A text as it was fetched, and its address. */
interface Fetched {
  readonly content: Uint8Array;
  readonly url: string;
}

/** A text in a file. */
interface Saved {
  readonly path: string;
  readonly byteLength: number;
}

const textOf = (content: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);

/**
 * Everything that reads a stranger's text as a whole. Inputs and results are plain data, which threads can pass to each
 * other. Each throws JobFailure for what it rejects.
 */
const parsers = {
  /** The downloader's JSON, which is in memory only while it is read. */
  description: ({ path }: Saved) => limitDescription(readDescription(readFileSync(path, "utf8"))),
  manifest: (content: Uint8Array) => readManifest(textOf(content)),
  segmentList: ({ content, url }: Fetched) => readSegmentList(textOf(content), url),
  defaultAudio: ({ content, url }: Fetched) => defaultAudioUrls(textOf(content), url),
  subtitlePlaylist: ({ content, url }: Fetched) => readSubtitlePlaylist(textOf(content), url),
  subtitleFiles: (files: readonly Uint8Array[]) => files.map(parseSubtitleFile),
  joinedSubtitle: ({ segments, startSeconds }: { segments: string; startSeconds: number }) =>
    oneSubtitle(segments, startSeconds),
} as const;

export type ParserName = keyof typeof parsers;
type Inputs = { readonly [Name in ParserName]: Parameters<(typeof parsers)[Name]>[0] };
type Results = { readonly [Name in ParserName]: ReturnType<(typeof parsers)[Name]> };
export type ParserInput<Name extends ParserName> = Inputs[Name];
export type ParserResult<Name extends ParserName> = Results[Name];

const byName: { readonly [Name in ParserName]: (input: Inputs[Name]) => Results[Name] } = parsers;

export function parseWith<Name extends ParserName>(name: Name, input: ParserInput<Name>): ParserResult<Name> {
  return byName[name](input);
}
