/** A language that nobody named. */
export const unknownLanguage = "und";

const tagMaxCharacters = 35;

/**
 * A source's name of a language as a BCP 47 tag: `eng` and `en` are one, `pt_BR` is `pt-BR`. What is no tag keeps its
 * letters and digits, so that it may stand in a file's name.
 */
export function languageTag(name: string | null): string {
  const text = (name ?? "")
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

/** Which of the languages is shown first: the original's, else English, else the first there is. */
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
