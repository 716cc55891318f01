import { z } from "zod";
import { referenceOf } from "./listed-fragment.ts";
import type { ListedFile, ListedSidecars, ListedSubtitle } from "./source.ts";
import { createWholeUrl, type WholeUrl } from "./whole-url.ts";

const text = z.string().nullish();
const headers = z.record(z.string(), z.string()).nullish();

const variantSchema = z.object({
  url: text,
  ext: text,
  data: text,
  protocol: text,
  http_headers: headers,
  fragment_base_url: text,
  fragments: z.array(z.unknown()).nullish(),
});
type Variant = z.infer<typeof variantSchema>;

/** Mistakes of sites here are no reason to lose the media: what is not understood is ignored. */
const variants = z.array(variantSchema).catch([]);
const languages = z.record(z.string(), variants).nullish().catch(null);
const listSchema = z.object({
  language: text.catch(null),
  subtitles: languages,
  automatic_captions: languages,
  thumbnails: z
    .array(z.object({ url: z.string(), http_headers: headers }))
    .nullish()
    .catch(null),
});

/** The sidecars listed in a downloader's description. */
export function listedSidecars(medium: unknown): ListedSidecars {
  const info = listSchema.parse(medium);
  const language = info.language ?? null;
  const wholeUrl = createWholeUrl();
  const written = subtitlesOf(info.subtitles ?? {}, wholeUrl);
  const heard = () => spoken(subtitlesOf(info.automatic_captions ?? {}, wholeUrl), language);
  return {
    language,
    subtitles: written.length > 0 ? written : heard(),
    thumbnails: (info.thumbnails ?? []).filter(({ url }) => isWeb(url)).map(fileOf),
  };
}

function subtitlesOf(lists: Record<string, Variant[]>, wholeUrl: WholeUrl): ListedSubtitle[] {
  return Object.entries(lists).flatMap(([language, list]) => {
    const inOrder = list.toSorted((one, other) => rank(one) - rank(other));
    const content = inOrder.map((variant) => contentOf(variant, wholeUrl)).find((each) => each !== null);
    return content === undefined ? [] : [{ language, content }];
  });
}

const ofSpeech = "-orig";

/** Of automatic captions: those in the spoken language, if it is stated; otherwise all that are not translations. */
function spoken(captions: readonly ListedSubtitle[], language: string | null): ListedSubtitle[] {
  const marked = captions.filter((caption) => caption.language.endsWith(ofSpeech));
  if (marked.length > 0)
    return marked.map((caption) => ({ ...caption, language: caption.language.slice(0, -ofSpeech.length) }));
  const named = captions.filter((caption) => caption.language === language);
  return named.length > 0 ? named : captions.filter(({ content }) => !isTranslated(content));
}

function isTranslated(content: ListedSubtitle["content"]): boolean {
  return "files" in content && content.files.some(({ url }) => new URL(url).searchParams.has("tlang"));
}

/** Formats that can be converted to WebVTT, the easiest first. Sites' own formats and chats are not among them. */
const readableKinds = ["vtt", "srt", "ass", "ssa", "ttml", "dfxp", "tt", "xml"];
/** Names without a known extension. */
const unknownKinds = ["", "unknown_video"];

function rank({ ext }: Variant): number {
  return [...readableKinds, ...unknownKinds].indexOf(ext ?? "");
}

/** Null for an unsupported variant. */
function contentOf(variant: Variant, wholeUrl: WholeUrl): ListedSubtitle["content"] | null {
  const { url, data, protocol, fragments, fragment_base_url: base, http_headers } = variant;
  if (rank(variant) === -1) return null;
  if (data) return { text: data };
  if (fragments) {
    const urls = fragments.map((part) => wholeUrl(referenceOf(part), base ?? url ?? null)).filter(isWeb);
    return urls.length === fragments.length
      ? { files: urls.map((each) => fileOf({ url: each, http_headers })) }
      : null;
  }
  if (!isWeb(url)) return null;
  const file = fileOf({ url, http_headers });
  return protocol?.startsWith("m3u8") ? { playlist: file } : { files: [file] };
}

function isWeb(url: string | null | undefined): url is string {
  return /^https?:/.test(url ?? "") && URL.canParse(url ?? "");
}

function fileOf({
  url,
  http_headers: sent,
}: {
  url: string;
  http_headers?: Variant["http_headers"];
}): ListedFile {
  return { url, headers: sent ?? {} };
}
