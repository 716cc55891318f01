import { JobFailure } from "../pipeline/job.ts";
import type { Cue } from "./web-vtt.ts";

/** Text of a paragraph, and when it is shown. */
export interface TimedText {
  readonly startSeconds: number;
  /** Null: nothing says, so it is not shown. */
  readonly endSeconds: number | null;
  readonly text: string;
}

/** Bounds the text of all cues of a file, in which overlapping texts repeat each other. */
export interface TextBudget {
  charactersLeft: number;
}

/**
 * The cues of a paragraph whose texts are shown at times of their own, in their order: one cue for each time in which
 * the same ones are shown. Throws JobFailure `invalid_media` if they overlap so much that the budget is exceeded.
 */
export function cuesOfParagraph(texts: readonly TimedText[], budget: TextBudget): Cue[] {
  const shown = texts.flatMap(({ startSeconds, endSeconds, text }, order) =>
    endSeconds === null || endSeconds <= startSeconds ? [] : [{ startSeconds, endSeconds, text, order }],
  );
  const times = new Set(shown.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]));
  const waiting = shown.toSorted((one, other) => one.startSeconds - other.startSeconds).values();
  let next = waiting.next();
  let open: typeof shown = [];
  const cues: Cue[] = [];
  const moments = [...times].toSorted((one, other) => one - other);
  for (const [index, startSeconds] of moments.slice(0, -1).entries()) {
    open = open.filter(({ endSeconds }) => endSeconds > startSeconds);
    for (; next.done !== true && next.value.startSeconds === startSeconds; next = waiting.next())
      open.push(next.value);
    budget.charactersLeft -= open.reduce((sum, one) => sum + one.text.length, 0);
    if (budget.charactersLeft < 0) throw new JobFailure("invalid_media", "the subtitles overlap too much");
    const text = textOf(open.toSorted((one, other) => one.order - other.order));
    const endSeconds = moments[index + 1] ?? startSeconds;
    if (text !== "") cues.push({ startSeconds, endSeconds, settings: "", text });
  }
  return cues;
}

function textOf(texts: readonly TimedText[]): string {
  const lines = texts.map(({ text }) => text).join("");
  const trimmed = lines.split("\n").map((line) => escapeText(line.trim().replaceAll(/ +/g, " ")));
  return trimmed.filter((line) => line !== "").join("\n");
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
