/** The beginning of a text: at most `maxCharacters` code points, never half of one. */
export function cutText(text: string, maxCharacters: number): string {
  // No code point takes more than two units, so a text of any length costs no more than what is kept.
  const beginning = Array.from(text.slice(0, 2 * maxCharacters));
  return beginning.slice(0, maxCharacters).join("").toWellFormed();
}
