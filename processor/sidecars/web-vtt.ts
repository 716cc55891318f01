import { z } from "zod";

const cueSchema = z.object({
  startSeconds: z.number(),
  endSeconds: z.number(),
  settings: z.string(),
  text: z.string(),
});
export type Cue = Readonly<z.infer<typeof cueSchema>>;

export const webVttSchema = z.object({
  /** Blocks that style cues. */
  styles: z.array(z.string()).readonly(),
  cues: z.array(cueSchema.readonly()).readonly(),
  /** A time of the cues and the same moment on the media's clock, if a segment states them. */
  clock: z.object({ cueSeconds: z.number(), mediaSeconds: z.number() }).readonly().nullable(),
});
/** A WebVTT file, complete or one of several segments. */
export type WebVtt = Readonly<z.infer<typeof webVttSchema>>;

const time = String.raw`(?:\d+:)?[0-5]\d:[0-5]\d\.\d{3}`;
/** The dot matches every character: otherwise the spaces before one that it does not match take quadratic time. */
const timing = new RegExp(String.raw`^(${time})[ \t]+-->[ \t]+(${time})(?:[ \t](.*))?$`, "s");

/** Null if it is not WebVTT. An unknown kind of block is skipped, as players do. */
export function parseWebVtt(source: string): WebVtt | null {
  const text = source.replace(/^\uFEFF/, "").replaceAll("\0", "\uFFFD");
  const [header = "", ...blocks] = text.split(/\r\n?|\n/).reduce(intoBlocks, [""]);
  if (!/^WEBVTT(?:[ \t\n]|$)/.test(header)) return null;
  return {
    styles: blocks.filter((block) => /^(STYLE|REGION)[ \t]*\n/.test(block) && !block.includes("-->")),
    cues: blocks.flatMap(parseCue),
    clock: parseClock(header),
  };
}

/** Blocks are separated by any number of empty lines. */
function intoBlocks(blocks: string[], line: string): string[] {
  const last = blocks.at(-1) ?? "";
  if (line === "") {
    if (last !== "") blocks.push("");
  } else {
    blocks[blocks.length - 1] = last === "" ? line : `${last}\n${line}`;
  }
  return blocks;
}

function parseCue(block: string): Cue[] {
  const lines = block.split("\n");
  const at = lines.slice(0, 2).findIndex((line) => timing.test(line));
  const [, start, end, settings = ""] = timing.exec(lines[at] ?? "") ?? [];
  if (start === undefined || end === undefined) return [];
  const text = lines.slice(at + 1).join("\n");
  const cue = { startSeconds: secondsOf(start), endSeconds: secondsOf(end), settings: settings.trim(), text };
  return text === "" || cue.endSeconds <= cue.startSeconds ? [] : [cue];
}

function parseClock(header: string): WebVtt["clock"] {
  const [, map = ""] = /^X-TIMESTAMP-MAP=(.*)$/m.exec(header) ?? [];
  const [, ticks] = /MPEGTS:(\d+)/.exec(map) ?? [];
  const [, local] = new RegExp(`LOCAL:(${time})`).exec(map) ?? [];
  if (ticks === undefined || local === undefined) return null;
  return { cueSeconds: secondsOf(local), mediaSeconds: Number(ticks) / 90_000 };
}

function secondsOf(text: string): number {
  return text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

/** The clock of transport streams wraps around after 33 bits. */
const clockRoundSeconds = 2 ** 33 / 90_000;
/** A clock that is further off than this at the beginning is not the media's. */
const sameClockSeconds = 5;
const sameMomentSeconds = 0.0015;

/**
 * Joins the segments of one track, on a clock that begins with the media. A cue across the end of a segment is in both,
 * whole or split there: it becomes one.
 */
export function joinWebVtt(segments: readonly WebVtt[], mediaStartSeconds: number): WebVtt {
  let rounds = 0;
  let before = 0;
  const shifts = segments.map(({ clock }) => {
    if (clock === null) return null;
    if (clock.mediaSeconds + rounds * clockRoundSeconds < before - clockRoundSeconds / 2) rounds += 1;
    before = clock.mediaSeconds + rounds * clockRoundSeconds;
    return before - clock.cueSeconds - mediaStartSeconds;
  });
  const first = shifts.find((shift) => shift !== null) ?? 0;
  const error = Math.abs(first) > sameClockSeconds ? first : 0;

  const cues: Cue[] = [];
  for (const [index, segment] of segments.entries()) {
    const shift = (shifts[index] ?? error) - error;
    const ofFormer = cues.length;
    for (const cue of segment.cues) add(cues, moved(cue, shift), ofFormer);
  }
  return {
    styles: [...new Set(segments.flatMap(({ styles }) => styles))],
    cues: cues.filter(({ endSeconds }) => endSeconds > 0).toSorted((a, b) => a.startSeconds - b.startSeconds),
    clock: null,
  };
}

function moved(cue: Cue, seconds: number): Cue {
  const startSeconds = Math.max(0, cue.startSeconds + seconds);
  return { ...cue, startSeconds, endSeconds: cue.endSeconds + seconds };
}

/** How many cues may be on screen at once, among which a repeated one is searched. */
const nearCues = 20;

/** Adds a cue, or extends the one of an earlier segment that it continues. */
function add(cues: Cue[], cue: Cue, ofFormer: number): void {
  const from = Math.max(0, ofFormer - nearCues);
  const near = cues
    .slice(from, ofFormer)
    .findLastIndex(
      (one) =>
        one.text === cue.text &&
        one.settings === cue.settings &&
        one.endSeconds >= cue.startSeconds - sameMomentSeconds &&
        cue.endSeconds >= one.startSeconds,
    );
  const at = from + near;
  const same = near === -1 ? undefined : cues[at];
  if (same === undefined) {
    cues.push(cue);
    return;
  }
  cues[at] = {
    ...same,
    startSeconds: Math.min(same.startSeconds, cue.startSeconds),
    endSeconds: Math.max(same.endSeconds, cue.endSeconds),
  };
}

/** The text of a WebVTT file with these styles and cues; its clock is left out. */
export function printWebVtt({ styles, cues }: WebVtt): string {
  const blocks = cues.map(
    ({ startSeconds, endSeconds, settings, text }) =>
      `${printTime(startSeconds)} --> ${printTime(endSeconds)}${settings && ` ${settings}`}\n${text}`,
  );
  return `${["WEBVTT", ...styles, ...blocks].join("\n\n")}\n`;
}

function printTime(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (unit: number, modulus: number, digits: number) =>
    String(Math.floor(milliseconds / unit) % modulus).padStart(digits, "0");
  return `${part(3_600_000, Infinity, 2)}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}.${part(1, 1000, 3)}`;
}
