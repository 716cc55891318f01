import { Parser } from "htmlparser2";
import { JobFailure } from "../pipeline/job.ts";
import { cuesOfParagraph, type TimedText } from "./ttml-paragraph.ts";
import type { Cue, WebVtt } from "./web-vtt.ts";

/** What the root says about the units of times. */
interface Rates {
  readonly framesPerSecond: number;
  readonly ticksPerSecond: number;
}

/** An open element, and when it is shown; null: as long as its parent. */
interface Span {
  readonly startSeconds: number;
  readonly endSeconds: number | null;
}

/** No subtitle nests deeper, and every level costs more than the last. */
const nestingMax = 128;

/** Texts that overlap are repeated in several cues: in all by no more characters than any subtitle needs. */
const repeatedMaxCharacters = 4 * 1024 * 1024;

const defaultRates: Rates = { framesPerSecond: 30, ticksPerSecond: 1 };

/**
 * Parses TTML, also called DFXP: its paragraphs, with the times of their ancestors and of the spans in them; styling is
 * left out. Null if it is not TTML. Throws JobFailure `invalid_media` if it is nested deeper than subtitles are, or
 * overlaps more.
 */
export function parseTtml(source: string): WebVtt | null {
  if (!/^\uFEFF?\s*</.test(source)) return null;
  const cues: Cue[] = [];
  const open: Span[] = [];
  let rates: Rates | null = null;
  let paragraph: Paragraph | null = null;
  const budget = { charactersLeft: source.length + repeatedMaxCharacters };

  const parser = new Parser(
    {
      onopentag(tag, given) {
        const name = localName(tag);
        const attributes = new Map(Object.entries(given).map(([key, value]) => [localName(key), value]));
        if (open.length > nestingMax)
          throw new JobFailure("invalid_media", "the subtitles are nested too deep");
        if (open.length === 0) rates = name === "tt" ? ratesOf(attributes) : null;
        const parent = open.at(-1) ?? { startSeconds: 0, endSeconds: null };
        open.push(spanOf(attributes, parent, rates ?? defaultRates));
        if (name === "p") paragraph = { texts: [], depth: open.length, gap: "" };
        if (name === "br" && paragraph !== null) paragraph.gap += "\n";
      },
      ontext(text) {
        const span = open.at(-1);
        if (paragraph !== null && span !== undefined) addText(paragraph, span, text.replaceAll(/\s+/g, " "));
      },
      onclosetag() {
        if (paragraph?.depth === open.length) {
          for (const cue of cuesOfParagraph(paragraph.texts, budget)) cues.push(cue);
          paragraph = null;
        }
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(source);
  return rates === null ? null : { styles: [], cues, clock: null };
}

/** A paragraph that is still open. */
interface Paragraph {
  /** Consecutive ones have different times. */
  readonly texts: TimedText[];
  readonly depth: number;
  /** White space since the last text: it is shown with the next one. */
  gap: string;
}

function addText(paragraph: Paragraph, { startSeconds, endSeconds }: Span, text: string): void {
  if (text.trim() === "") {
    paragraph.gap += text;
    return;
  }
  const { texts } = paragraph;
  const last = texts.at(-1);
  const isSame = last?.startSeconds === startSeconds && last.endSeconds === endSeconds;
  const before = isSame ? (texts.pop()?.text ?? "") : "";
  texts.push({ startSeconds, endSeconds, text: before + paragraph.gap + text });
  paragraph.gap = "";
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

type Attributes = ReadonlyMap<string, string>;

function ratesOf(attributes: Attributes): Rates {
  const number = (name: string) => Number(attributes.get(name) ?? NaN) || null;
  const [numerator = 1, denominator = 1] = (attributes.get("frameRateMultiplier") ?? "1 1")
    .split(" ")
    .map(Number);
  const frames = number("frameRate") ?? defaultRates.framesPerSecond;
  return {
    framesPerSecond: frames * (numerator / denominator || 1),
    ticksPerSecond: number("tickRate") ?? defaultRates.ticksPerSecond,
  };
}

/** Times are relative to the parent's beginning, and end with it. */
function spanOf(attributes: Attributes, parent: Span, rates: Rates): Span {
  const at = (name: string) => secondsOf(attributes.get(name), rates);
  const startSeconds = parent.startSeconds + (at("begin") ?? 0);
  const lasting = at("dur");
  const end = at("end");
  const ends = [
    lasting === null ? null : startSeconds + lasting,
    end === null ? null : parent.startSeconds + end,
    parent.endSeconds,
  ].filter((each) => each !== null);
  return { startSeconds, endSeconds: ends.length === 0 ? null : Math.min(...ends) };
}

const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** Null if it is not a time, or in an unknown notation. */
function secondsOf(time: string | undefined, { framesPerSecond, ticksPerSecond }: Rates): number | null {
  const [, hours, minutes, seconds, frames = "0"] =
    /^(\d+):(\d{2}):(\d{2}(?:\.\d+)?)(?::(\d+))?$/.exec(time ?? "") ?? [];
  if (seconds !== undefined)
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(frames) / framesPerSecond;
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)(h|m|s|ms|f|t)$/.exec(time ?? "") ?? [];
  if (count === undefined) return null;
  if (unit === "f") return Number(count) / framesPerSecond;
  if (unit === "t") return Number(count) / ticksPerSecond;
  return Number(count) * (unitSeconds[unit] ?? 1);
}
