import type { EncodingOptions } from "../../contracts/encoding-options.ts";
import { subtitlesMax } from "../../contracts/sidecar-key.ts";
import { earliestStart } from "../mux/input-delays.ts";
import type { FileKind, ProbedMedia } from "../mux/media.ts";
import type { ListedFile, ListedSidecars, ListedSubtitle } from "../source/source.ts";
import { languageTag, unknownLanguage } from "./language-tag.ts";

/** A stream of one of the downloaded files. */
export interface StreamOfFile {
  readonly input: number;
  readonly kind: FileKind;
  readonly index: number;
}

/** Which of the listed sidecars are wanted: known before anything about the media is. */
export interface ListedPlan {
  /** One per language, which is a BCP 47 tag as far as the source gave one. */
  readonly subtitles: readonly (ListedSubtitle & { readonly language: string })[];
  /** Tried in this order, the best first. */
  readonly pictures: readonly ListedFile[];
}

/** A subtitle track of a downloaded file. */
export interface PlannedTrack {
  readonly language: string;
  readonly stream: StreamOfFile;
}

/** Where in the downloaded files a thumbnail may come from. */
export type PictureOfFile =
  | { readonly cover: Omit<StreamOfFile, "index"> }
  | { readonly frame: StreamOfFile; readonly atSeconds: number };

/** Everything that may be stored next to the main file. */
export interface SidecarPlan {
  readonly listed: ListedPlan;
  /** In languages for which nothing is listed. */
  readonly tracks: readonly PlannedTrack[];
  /** Tried in this order if no listed picture can be used; empty if no thumbnail is wanted. */
  readonly pictures: readonly PictureOfFile[];
  /** As a tag; null if unknown. */
  readonly originalLanguage: string | null;
  /** When the media starts on the clock that segmented subtitles refer to. */
  readonly mediaStartSeconds: number;
}

/** How many listed pictures are tried before one is taken from the media itself. */
const listedPicturesMax = 3;
/** The beginning is often black. */
const frameAtShare = 0.1;

type Wishes = Pick<EncodingOptions, "download_subtitles" | "download_thumbnail">;

/** Which listed sidecars to fetch. Pure. */
export function planListed({ subtitles, thumbnails }: ListedSidecars, options: Wishes): ListedPlan {
  const tagged = subtitles.map((subtitle) => ({ ...subtitle, language: languageTag(subtitle.language) }));
  return {
    subtitles: options.download_subtitles ? firstOfEachLanguage(tagged).slice(0, subtitlesMax) : [],
    pictures: options.download_thumbnail ? thumbnails.toReversed().slice(0, listedPicturesMax) : [],
  };
}

/**
 * What may be stored next to the file made from the inputs: listed sidecars take precedence over those inside the
 * media. Pure: nothing is fetched or read yet.
 */
export function planSidecars(
  source: ListedSidecars,
  inputs: readonly ProbedMedia[],
  options: Wishes,
): SidecarPlan {
  const listed = planListed(source, options);
  return {
    listed,
    tracks: options.download_subtitles ? planTracks(listed, inputs) : [],
    pictures: options.download_thumbnail ? planPictures(inputs) : [],
    originalLanguage: originalLanguage(source, inputs),
    mediaStartSeconds: earliestStart(inputs) ?? 0,
  };
}

/** Whether making everything takes the downloaded files, even if every listed picture can be used. */
export function needsFile({ listed, tracks, pictures }: SidecarPlan): boolean {
  return tracks.length > 0 || (pictures.length > 0 && listed.pictures.length === 0);
}

/** Suffixes of the keys that a plan's sidecars may take. */
export function sidecarSuffixes({ listed, tracks, pictures }: SidecarPlan): string[] {
  const thumbnail = listed.pictures.length + pictures.length > 0 ? [thumbnailSuffix] : [];
  return [...[...listed.subtitles, ...tracks].map(({ language }) => subtitleSuffix(language)), ...thumbnail];
}

export const thumbnailSuffix = "jpg";

/** The suffix of a subtitle's key, such as `en.vtt`. */
export function subtitleSuffix(language: string): string {
  return `${language}.vtt`;
}

/** Full subtitles take precedence over forced ones. */
function planTracks({ subtitles }: ListedPlan, inputs: readonly ProbedMedia[]): PlannedTrack[] {
  const isListed = new Set(subtitles.map(({ language }) => language));
  const tracks = inputs.flatMap(({ kind, subtitles: streams }, input) =>
    streams.map(({ index, language, isForced }) => ({
      language: languageTag(language),
      stream: { input, kind, index },
      isForced,
    })),
  );
  const unlisted = tracks.filter(({ language }) => !isListed.has(language));
  return firstOfEachLanguage([
    ...unlisted.filter(({ isForced }) => !isForced),
    ...unlisted.filter(({ isForced }) => isForced),
  ])
    .map(({ language, stream }) => ({ language, stream }))
    .slice(0, subtitlesMax - subtitles.length);
}

function firstOfEachLanguage<Subtitle extends { readonly language: string }>(
  subtitles: readonly Subtitle[],
): Subtitle[] {
  const seen = new Set<string>();
  return subtitles.filter(({ language }) => {
    const isFirst = !seen.has(language);
    seen.add(language);
    return isFirst;
  });
}

function planPictures(inputs: readonly ProbedMedia[]): PictureOfFile[] {
  const covers = inputs.flatMap(({ kind, hasCover }, input) =>
    hasCover ? [{ cover: { input, kind } }] : [],
  );
  const frames = inputs.flatMap(({ kind, video, durationSeconds }, input) =>
    video.slice(0, 1).map(({ index }) => ({
      frame: { input, kind, index },
      atSeconds: (durationSeconds ?? 0) * frameAtShare,
    })),
  );
  return [...covers, ...frames];
}

function originalLanguage({ language }: ListedSidecars, inputs: readonly ProbedMedia[]): string | null {
  const streams = inputs.flatMap(({ audio }) => audio);
  const original = streams.find(({ isDefault }) => isDefault) ?? streams[0];
  const tag = languageTag(language ?? original?.language ?? null);
  return tag === unknownLanguage ? null : tag;
}
