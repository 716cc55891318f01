import { linkMaxCharacters } from "../network/proxy-target.ts";

/** Six hours in segments of two seconds, each with a URL of 2,048 characters and some room. */
const listMaxCharacters = 32 * 1024 * 1024;

/** Resolves a reference below a base. */
export type WholeUrl = (reference: string, base: string | null) => string | null;

/**
 * Resolves the references of one list. Below a long base, a reference of one byte becomes a URL of kilobytes, and a list
 * can have a hundred thousand of them. So the result is null for a reference that is not a URL, and for all references
 * after the URLs have become too long together.
 */
export function createWholeUrl(): WholeUrl {
  let charactersLeft = listMaxCharacters;
  return (reference, base) => {
    if (charactersLeft < 0 || reference.length + (base?.length ?? 0) > linkMaxCharacters) return null;
    const url = URL.parse(reference, base ?? undefined)?.href ?? null;
    charactersLeft -= url?.length ?? 0;
    return charactersLeft < 0 ? null : url;
  };
}
