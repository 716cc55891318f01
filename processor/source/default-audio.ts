import { parse } from "hls-parser";
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
  const urls = file === null ? new Set() : defaultAudioUrls(file.content.toString(), file.url);
  return formats.map((format) =>
    urls.has(format.url) ? { ...format, languagePreference: format.languagePreference + 1 } : format,
  );
}

/** The addresses of the default audio, one for each of its groups; none if the text is not a master playlist. */
export function defaultAudioUrls(text: string, base: string): ReadonlySet<string> {
  const urls = new Set<string>();
  for (const { isDefault, uri } of audioOf(text)) {
    if (isDefault && uri !== undefined && URL.canParse(uri, base)) urls.add(new URL(uri, base).href);
  }
  return urls;
}

function audioOf(text: string) {
  try {
    const playlist = parse(text);
    return playlist.isMasterPlaylist ? playlist.variants.flatMap(({ audio }) => audio) : [];
  } catch {
    // Without a preference, the downloader's order decides.
    return [];
  }
}
