import { openListed, type ListedCollection } from "../sidecars/collect-listed.ts";
import { planListed } from "../sidecars/plan-sidecars.ts";
import { formatsOf } from "../source/choice.ts";
import { chooseFormats } from "../source/choose-formats.ts";
import { resolveSource } from "../source/resolve-source.ts";
import type { Source, SourceFormat } from "../source/source.ts";
import type { JobContext } from "./job-context.ts";

/** What a job is made of: the source, and the formats of it that are fetched. */
export interface FoundSource {
  readonly source: Source;
  /** The one with the video first, the one with the audio last; one where both are the same. */
  readonly formats: readonly SourceFormat[];
  /** The source is the media file itself, which may know its title better than the address does. */
  readonly isDirect: boolean;
  /** Of what the source lists beside its media, that which is asked for; closed by who has found the source. */
  readonly listed: ListedCollection;
}

/** Finds out what the job's URL is, and chooses the best of it. */
export async function findSource(context: JobContext): Promise<FoundSource> {
  const { task } = context;
  const source = await resolveSource(task.url, { ...context, limits: task.limits });
  const formats = formatsOf(chooseFormats(source.formats, task.options));
  const listed = openListed(planListed(source.listed, task.options), context);
  return { source, formats, isDirect: source.infoPath === null, listed };
}

/** What the file is called: the address of a media file says less than the file, and a page says more. */
export function titleOf({ source, isDirect }: FoundSource, inFile: string | null): string | null {
  return isDirect ? (inFile ?? source.title) : (source.title ?? inFile);
}
