import { openListed, type ListedCollection } from "../sidecars/collect-listed.ts";
import { planListed } from "../sidecars/plan-sidecars.ts";
import { formatsOf } from "../source/choice.ts";
import { chooseFormats } from "../source/choose-formats.ts";
import { resolveSource } from "../source/resolve-source.ts";
import type { Source, SourceFormat } from "../source/source.ts";
import type { JobContext } from "./job-context.ts";

/** What a job works with: the source, and which of its formats to download. */
export interface FoundSource {
  readonly source: Source;
  /** The one with the video first, the one with the audio last; a single one if it has both. */
  readonly formats: readonly SourceFormat[];
  /** The source is the media file itself, which may know its title better than its URL does. */
  readonly isDirect: boolean;
  /** The requested ones of the subtitles and pictures that the source lists. The caller closes it. */
  readonly listed: ListedCollection;
}

/** Finds out what the job's URL is, and chooses the best formats. */
export async function findSource(context: JobContext): Promise<FoundSource> {
  const { task } = context;
  const source = await resolveSource(task.url, { ...context, limits: task.limits });
  const formats = formatsOf(chooseFormats(source.formats, task.options));
  const listed = openListed(planListed(source.listed, task.options), context);
  return { source, formats, isDirect: source.infoPath === null, listed };
}

/** The file's title: a media file's metadata beats its URL, and a page's title beats both. */
export function titleOf({ source, isDirect }: FoundSource, inFile: string | null): string | null {
  return isDirect ? (inFile ?? source.title) : (source.title ?? inFile);
}
