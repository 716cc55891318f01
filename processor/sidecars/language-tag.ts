/** For an unspecified language. */
export const unknownLanguage = "und";

const tagMaxCharacters = 35;
/** The rest of a longer name is ignored. */
const nameMaxCharacters = 100;

/**
 * A source's name of a language as a BCP 47 tag: `eng` becomes `en`, `pt_BR` becomes `pt-BR`. Anything else keeps its
 * letters and digits, so that it can be part of a file name.
 */
export function languageTag(name: string | null): string {
  const text = (name ?? "")
    .slice(0, nameMaxCharacters)
    .replaceAll("_", "-")
    .replaceAll(/[^A-Za-z0-9-]+/g, "")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, tagMaxCharacters);
  if (text === "") return unknownLanguage;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? text;
  } catch {
    return text;
  }
}

/** Which language is preferred: the original, otherwise English, otherwise the first. */
export function preferredLanguage(languages: readonly string[], original: string | null): string | null {
  const wanted = [original, "en"].filter((language) => language !== null);
  for (const language of wanted) {
    const same =
      languages.find((each) => each === language) ??
      languages.find((each) => primary(each) === primary(language));
    if (same !== undefined) return same;
  }
  return languages[0] ?? null;
}

function primary(tag: string): string {
  return tag.split("-")[0] ?? tag;
}
