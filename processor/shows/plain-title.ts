import { Parser } from "htmlparser2";
import { cutText } from "../../contracts/cut-text.ts";
import { titleMaxCharacters } from "../../contracts/limits.ts";

/** A title as plain text on one line, cut to `titleMaxCharacters` code points; null if nothing is left of it. */
export function plainTitle(text: string | null | undefined, markup: "html" | "none"): string | null {
  if (text === null || text === undefined) return null;
  const shown = markup === "html" ? textOfHtml(text) : text;
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
