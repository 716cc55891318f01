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

/** Subtitles in one language, and where they come from. */
export interface PlannedSubtitle {
  /** A BCP 47 tag, as far as the source gave one. */
  readonly language: string;
  readonly from: { readonly content: ListedSubtitle["content"] } | { readonly track: StreamOfFile };
}

/** Where a picture for the thumbnail may come from. */
export type PictureSource =
  | { readonly listed: ListedFile }
  | { readonly cover: Omit<StreamOfFile, "index"> }
  | { readonly frame: StreamOfFile; readonly atSeconds: number };

/** All that may come to lie beside the main file. */
export interface SidecarPlan {
  readonly subtitles: readonly PlannedSubtitle[];
  /** In the order in which they are to be tried; empty where there is to be no thumbnail. */
  readonly pictures: readonly PictureSource[];
  /** As a tag; null where unknown. */
  readonly originalLanguage: string | null;
  /** When the media begin on the clock that segmented subtitles refer to. */
  readonly mediaStartSeconds: number;
}

/** Listed pictures that are tried before one is made of the media themselves. */
const listedPicturesMax = 3;
/** Beginnings are often black. */
const frameAtShare = 0.1;

/** For a file that nothing is to lie beside. */
export const noSidecars: SidecarPlan = {
  subtitles: [],
  pictures: [],
  originalLanguage: null,
  mediaStartSeconds: 0,
};

type Wishes = Pick<EncodingOptions, "download_subtitles" | "download_thumbnail">;

/** What may be stored beside the file that is made of the inputs. Pure: nothing of it is fetched or read yet. */
export function planSidecars(
  listed: ListedSidecars,
  inputs: readonly ProbedMedia[],
  options: Wishes,
): SidecarPlan {
  return {
    subtitles: options.download_subtitles ? planSubtitles(listed, inputs) : [],
    pictures: options.download_thumbnail ? planPictures(listed, inputs) : [],
    originalLanguage: originalLanguage(listed, inputs),
    mediaStartSeconds: Math.min(...inputs.map(({ startSeconds }) => startSeconds)),
  };
}

/** Suffixes of the keys that the sidecars of a plan may take. */
export function sidecarSuffixes({ subtitles, pictures }: SidecarPlan): string[] {
  const thumbnail = pictures.length > 0 ? [thumbnailSuffix] : [];
  return [...subtitles.map(({ language }) => subtitleSuffix(language)), ...thumbnail];
}

export const thumbnailSuffix = "jpg";

export function subtitleSuffix(language: string): string {
  return `${language}.vtt`;
}

/** What the source lists goes before what is in its files, whole subtitles before forced ones. */
function planSubtitles(listed: ListedSidecars, inputs: readonly ProbedMedia[]): PlannedSubtitle[] {
  const tracks = inputs.flatMap(({ kind, subtitles }, input) =>
    subtitles.map((stream) => ({ ...stream, input, kind })),
  );
  const inOrder = tracks.toSorted((one, other) => Number(one.isForced) - Number(other.isForced));
  const all: PlannedSubtitle[] = [
    ...listed.subtitles.map(({ language, content }) => ({
      language: languageTag(language),
      from: { content },
    })),
    ...inOrder.map(({ language, input, kind, index }) => ({
      language: languageTag(language),
      from: { track: { input, kind, index } },
    })),
  ];
  const byLanguage = new Map(all.toReversed().map((subtitle) => [subtitle.language, subtitle]));
  return all.filter((subtitle) => byLanguage.get(subtitle.language) === subtitle).slice(0, subtitlesMax);
}

function planPictures({ thumbnails }: ListedSidecars, inputs: readonly ProbedMedia[]): PictureSource[] {
  const listed = thumbnails.toReversed().slice(0, listedPicturesMax);
  const covers = inputs.flatMap(({ kind, hasCover }, input) =>
    hasCover ? [{ cover: { input, kind } }] : [],
  );
  const frames = inputs.flatMap(({ kind, video, durationSeconds }, input) =>
    video.slice(0, 1).map(({ index }) => ({
      frame: { input, kind, index },
      atSeconds: (durationSeconds ?? 0) * frameAtShare,
    })),
  );
  return [...listed.map((file) => ({ listed: file })), ...covers, ...frames];
}

function originalLanguage({ language }: ListedSidecars, inputs: readonly ProbedMedia[]): string | null {
  const sounds = inputs.flatMap(({ audio }) => audio);
  const ofSound = sounds.find(({ isDefault }) => isDefault) ?? sounds[0];
  const tag = languageTag(language ?? ofSound?.language ?? null);
  return tag === unknownLanguage ? null : tag;
}
