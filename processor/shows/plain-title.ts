import { Parser } from "htmlparser2";
import { cutText } from "../../contracts/cut-text.ts";
import { titleMaxCharacters } from "../../contracts/limits.ts";

/** Several times what a title of the largest length takes as markup; the rest is not looked at. */
const textMaxUnits = 16 * 1024;

/** A title as plain text on one line, cut to `titleMaxCharacters` code points; null if nothing is left of it. */
export function plainTitle(text: string | null | undefined, markup: "html" | "none"): string | null {
  if (text === null || text === undefined) return null;
  const beginning = text.slice(0, textMaxUnits);
  const shown = markup === "html" ? textOfHtml(beginning) : beginning;
  const line = shown.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return cutText(line, titleMaxCharacters).trim() || null;
}

/** What a browser would display: without tags, entities decoded. */
function textOfHtml(html: string): string {
  if (!/[<&]/.test(html)) return html;
  let text = "";
  const parser = new Parser({
    ontext: (piece) => {
      text += piece;
    },
  });
  parser.end(html);
  return text;
}
