const notAllowed = /[^\p{L}\p{M}\p{Nd}\p{Zs}\-_.()[\],'&+@!]+/gu;
const spaces = /\p{Zs}+/gu;

/**
 * Turns a text into a file name, without `extension` and without limiting its length; empty if nothing of it may stay.
 * NFC is applied again after removals, because a removed character may have separated a mark from its letter.
 */
export function sanitizeFileName(text: string, extension: string): string {
  const allowed = text.normalize("NFC").replace(notAllowed, "").normalize("NFC");
  const name = trimDotsAndSpaces(allowed.replace(spaces, " "));
  const end = `.${extension}`;
  if (!name.toLowerCase().endsWith(end)) return name;
  return trimDotsAndSpaces(name.slice(0, -end.length));
}

/**
 * The beginning of a name that fits into `maxBytes` of UTF-8: cut between characters, with no dot or space at its end.
 */
export function cutFileName(name: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of name) {
    bytes += utf8Bytes(character);
    if (bytes > maxBytes) return trimDotsAndSpaces(name.slice(0, end));
    end += character.length;
  }
  return name;
}

/** Walks in from both ends: an anchored pattern takes quadratic time on a long run of dots in the middle. */
function trimDotsAndSpaces(text: string): string {
  const isEdge = (index: number) => text[index] === "." || text[index] === " ";
  let start = 0;
  let end = text.length;
  while (start < end && isEdge(start)) start += 1;
  while (end > start && isEdge(end - 1)) end -= 1;
  return text.slice(start, end);
}

const encoder = new TextEncoder();

/** The length of a text in UTF-8, in bytes. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
