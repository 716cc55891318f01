import type { EncodingOptions } from "../../contracts/encoding-options.ts";
import { subtitlesMax } from "../../contracts/sidecar-key.ts";
import type { FileKind, ProbedMedia } from "../mux/media.ts";
import type { ListedFile, ListedSidecars, ListedSubtitle } from "../source/source.ts";
import { languageTag, unknownLanguage } from "./language-tag.ts";

/** One of the streams of the fetched files. */
export interface StreamOfFile {
  readonly input: number;
  readonly kind: FileKind;
  readonly index: number;
}

/** What is wanted of that which the source lists: known before anything of the media is. */
export interface ListedPlan {
  /** One a language, which is a BCP 47 tag as far as the source gave one. */
  readonly subtitles: readonly (ListedSubtitle & { readonly language: string })[];
  /** The best first: they are tried in this order. */
  readonly pictures: readonly ListedFile[];
}

/** Subtitles that are a track of a fetched file. */
export interface PlannedTrack {
  readonly language: string;
  readonly stream: StreamOfFile;
}

/** Where a thumbnail may come from within the fetched files. */
export type PictureOfFile =
  | { readonly cover: Omit<StreamOfFile, "index"> }
  | { readonly frame: StreamOfFile; readonly atSeconds: number };

/** All that may come to lie beside the main file. */
export interface SidecarPlan {
  readonly listed: ListedPlan;
  /** Of the languages in which nothing is listed. */
  readonly tracks: readonly PlannedTrack[];
  /** Tried in this order where no listed picture can be had; empty where there is to be no thumbnail. */
  readonly pictures: readonly PictureOfFile[];
  /** As a tag; null where unknown. */
  readonly originalLanguage: string | null;
  /** When the media begin on the clock that segmented subtitles refer to. */
  readonly mediaStartSeconds: number;
}

/** Listed pictures that are tried before one is made of the media themselves. */
const listedPicturesMax = 3;
/** Beginnings are often black. */
const frameAtShare = 0.1;

type Wishes = Pick<EncodingOptions, "download_subtitles" | "download_thumbnail">;

/** What is to be had of that which the source lists. Pure. */
export function planListed({ subtitles, thumbnails }: ListedSidecars, options: Wishes): ListedPlan {
  const tagged = subtitles.map((subtitle) => ({ ...subtitle, language: languageTag(subtitle.language) }));
  return {
    subtitles: options.download_subtitles ? firstOfEachLanguage(tagged).slice(0, subtitlesMax) : [],
    pictures: options.download_thumbnail ? thumbnails.toReversed().slice(0, listedPicturesMax) : [],
  };
}

/**
 * What may be stored beside the file that is made of the inputs: what the source lists goes before what is in its
 * files, whatever these are. Pure: nothing of it is fetched or read yet.
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
    mediaStartSeconds: Math.min(...inputs.map(({ startSeconds }) => startSeconds)),
  };
}

/** Whether it takes the fetched files to make all that is planned, also where every listed picture can be had. */
export function needsFile({ listed, tracks, pictures }: SidecarPlan): boolean {
  return tracks.length > 0 || (pictures.length > 0 && listed.pictures.length === 0);
}

/** Suffixes of the keys that the sidecars of a plan may take. */
export function sidecarSuffixes({ listed, tracks, pictures }: SidecarPlan): string[] {
  const thumbnail = listed.pictures.length + pictures.length > 0 ? [thumbnailSuffix] : [];
  return [...[...listed.subtitles, ...tracks].map(({ language }) => subtitleSuffix(language)), ...thumbnail];
}

export const thumbnailSuffix = "jpg";

export function subtitleSuffix(language: string): string {
  return `${language}.vtt`;
}

/** Whole subtitles go before forced ones. */
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
  const sounds = inputs.flatMap(({ audio }) => audio);
  const ofSound = sounds.find(({ isDefault }) => isDefault) ?? sounds[0];
  const tag = languageTag(language ?? ofSound?.language ?? null);
  return tag === unknownLanguage ? null : tag;
}
