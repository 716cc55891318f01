import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinWebVtt, parseWebVtt, printWebVtt, type WebVtt } from "../../../processor/sidecars/web-vtt.ts";

const parsed = (text: string): WebVtt => {
  const result = parseWebVtt(text);
  if (result === null) throw new Error("This is no WebVTT");
  return result;
};
const join = (segments: string[], mediaStartSeconds = 0) =>
  joinWebVtt(segments.map(parsed), mediaStartSeconds).cues.map(
    ({ startSeconds, endSeconds, text }) => `${startSeconds}-${endSeconds} ${text}`,
  );
const mapped = (ticks: number, cues: string) =>
  `WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:${ticks}\n\n${cues}\n`;
const second = 90_000;

describe("parseWebVtt", () => {
  test("reads cues with their settings, names and styles, and skips notes", () => {
    const text = [
      "\uFEFFWEBVTT - a title\r",
      "\r",
      "STYLE\r\n::cue { color: red }\r",
      "\r",
      "NOTE what --> ever\r",
      "\r",
      "a name\r\n00:01.000 --> 01:00:02.500 align:start line:0\r\nOne\r\nTwo\r",
      "\r",
      "\r",
      "00:03.000 --> 00:03.000\r\nshown never\r",
    ].join("\n");
    expect(parsed(text)).toEqual({
      styles: ["STYLE\n::cue { color: red }"],
      cues: [{ startSeconds: 1, endSeconds: 3602.5, settings: "align:start line:0", text: "One\nTwo" }],
      clock: null,
    });
  });

  test.each(["", "1\n00:00:01,000 --> 00:00:02,000\nA", "WEBVTTX\n", "<html>", "#EXTM3U"])(
    "rejects %j",
    (text) => {
      expect(parseWebVtt(text)).toBeNull();
    },
  );

  test("reads a file of a hundred thousand cues quickly", () => {
    const text = `WEBVTT\n\n${"00:01.000 --> 00:02.000\nA\n\n".repeat(100_000)}`;
    expect(joinWebVtt([parsed(text)], 0).cues).toHaveLength(100_000);
  });
});

describe("joinWebVtt", () => {
  test("shifts segments to the clock of the media", () => {
    const first = mapped(10 * second, "00:00.000 --> 00:01.000\nA");
    const later = mapped(16 * second, "00:00.000 --> 00:01.000\nB");
    expect(join([first, later], 10)).toEqual(["0-1 A", "6-7 B"]);
    expect(join([first, later], 9)).toEqual(["1-2 A", "7-8 B"]);
  });

  test("starts with the first segment if the clock is not that of the media", () => {
    const first = mapped(1000 * second, "00:00.000 --> 00:01.000\nA");
    const later = mapped(1006 * second, "00:00.000 --> 00:01.000\nB");
    expect(join([first, later])).toEqual(["0-1 A", "6-7 B"]);
  });

  test("continues when the clock restarts", () => {
    const end = 2 ** 33 / second;
    const first = mapped(2 ** 33 - 2 * second, "00:00.000 --> 00:01.000\nA");
    const later = mapped(2 * second, "00:00.000 --> 00:01.000\nB");
    expect(join([first, later], end - 2)).toEqual(["0-1 A", "4-5 B"]);
  });

  test("merges a cue that is in two segments, and keeps repeated lines", () => {
    const one = "WEBVTT\n\n00:01.000 --> 00:02.000\nYes\n\n00:03.000 --> 00:05.000\nOver";
    const two = "WEBVTT\n\n00:03.000 --> 00:05.000\nOver\n\n00:07.000 --> 00:08.000\nYes";
    expect(join([one, two])).toEqual(["1-2 Yes", "3-5 Over", "7-8 Yes"]);
    const cut = "WEBVTT\n\n00:05.000 --> 00:06.000\nOver";
    expect(join([one, cut])).toEqual(["1-2 Yes", "3-6 Over"]);
    const twice = "WEBVTT\n\n00:01.000 --> 00:02.000\nNo\n\n00:02.000 --> 00:03.000\nNo";
    expect(join([twice])).toEqual(["1-2 No", "2-3 No"]);
  });

  test("leaves out cues that end before the media starts", () => {
    expect(join([mapped(0, "00:00.000 --> 00:01.000\nA\n\n00:00.500 --> 00:03.000\nB")], 1)).toEqual([
      "0-2 B",
    ]);
  });
});

const line = fc.string({ unit: fc.constantFrom("a", "é", "<", "&", " ", "日"), minLength: 1, maxLength: 12 });
const cue = fc
  .record({
    start: fc.integer({ min: 0, max: 100 * 3600 * 1000 }),
    length: fc.integer({ min: 1, max: 100_000 }),
    settings: fc.constantFrom("", "align:start", "line:0 position:10%"),
    text: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")),
  })
  .map(({ start, length, settings, text }) => ({
    startSeconds: start / 1000,
    endSeconds: (start + length) / 1000,
    settings,
    text,
  }));

test("printed cues are read back unchanged", () => {
  fc.assert(
    fc.property(fc.array(cue, { maxLength: 20 }), (cues) => {
      const sorted = cues.toSorted((a, b) => a.startSeconds - b.startSeconds);
      const printed = printWebVtt({ styles: ["STYLE\n::cue {}"], cues: sorted, clock: null });
      const again = parsed(printed);
      expect(again.styles).toEqual(["STYLE\n::cue {}"]);
      expect(again.cues.map(({ text, settings }) => [text, settings])).toEqual(
        sorted.map(({ text, settings }) => [text, settings]),
      );
      for (const [index, { startSeconds, endSeconds }] of sorted.entries()) {
        expect(again.cues[index]?.startSeconds).toBeCloseTo(startSeconds, 6);
        expect(again.cues[index]?.endSeconds).toBeCloseTo(endSeconds, 6);
      }
    }),
  );
});

test("any text is read or rejected, and the output can be read again", () => {
  const anything = fc.array(
    fc.constantFrom(
      "WEBVTT",
      "\n",
      "\n\n",
      "\r",
      " ",
      "-->",
      "00:01.000 --> 00:02.000",
      "STYLE",
      "x",
      "\0",
      "\uFEFF",
    ),
  );
  fc.assert(
    fc.property(anything, (pieces) => {
      const result = parseWebVtt(pieces.join(""));
      if (result === null) return;
      const again = parsed(printWebVtt(joinWebVtt([result], 0)));
      expect(again.cues).toHaveLength(result.cues.length);
    }),
    { numRuns: 500 },
  );
});
