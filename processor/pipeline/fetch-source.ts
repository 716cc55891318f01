import { downloadFormat } from "../download/download-format.ts";
import { formatsOf } from "../source/choice.ts";
import { chooseFormats } from "../source/choose-formats.ts";
import { resolveSource } from "../source/resolve-source.ts";
import { allOrNone } from "./all-or-none.ts";
import type { JobContext } from "./job-context.ts";

/** The chosen formats as files in the job's folder. */
export interface FetchedSource {
  readonly title: string | null;
  /** The source is the media file itself, which may know its title better than the address does. */
  readonly isDirect: boolean;
  readonly durationSeconds: number | null;
  /** The one with the video first, the one with the audio last; one where both are the same. */
  readonly paths: readonly string[];
}

/** Finds out what the URL is and fetches the best of it, video and audio side by side. */
export async function fetchSource(context: JobContext): Promise<FetchedSource> {
  const { task, meter } = context;
  const { limits } = task;
  const source = await resolveSource(task.url, { ...context, limits });
  const formats = formatsOf(chooseFormats(source.formats, task.options));
  const names = formats.map((_, index) => `source-${index}`);
  for (const [index, { bytes }] of formats.entries()) meter.fetched(`source-${index}`, 0, bytes);
  const files = await allOrNone(
    context.signal,
    formats.map((format, index) => (signal) => {
      const fileName = names[index] ?? "";
      const onBytes = (received: number, total: number | null) => meter.fetched(fileName, received, total);
      return downloadFormat(format, source, { ...context, limits, signal, fileName, onBytes });
    }),
  );
  meter.fetchedAll();
  return {
    title: source.title,
    isDirect: source.infoPath === null,
    durationSeconds: source.durationSeconds,
    paths: files.map(({ path }) => path),
  };
}
