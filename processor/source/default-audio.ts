import { parseApart } from "../parsing/parse-apart.ts";
import { fetchWhole, type Address } from "./fetch-whole.ts";
import { manifestMaxBytes } from "./look-at-manifest.ts";
import type { SourceContext } from "./source-context.ts";
import type { SourceFormat } from "./source.ts";

/**
 * The formats, with a preference for the audio that the HLS master playlist at this address plays by default: the
 * downloader lists dubs and audio descriptions beside it, and does not say which one it is. Rejects with JobFailure, or
 * with the signal's reason.
 */
export async function preferDefaultAudio(
  formats: readonly SourceFormat[],
  master: Address,
  context: SourceContext,
): Promise<readonly SourceFormat[]> {
  const file = await fetchWhole(master, manifestMaxBytes, context);
  if (file === null) return formats;
  const urls = await parseApart("defaultAudio", file, context.signal);
  return formats.map((format) =>
    urls.has(format.url) ? { ...format, languagePreference: format.languagePreference + 1 } : format,
  );
}
