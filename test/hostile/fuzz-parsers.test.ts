import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { segmentsOfPlaylist } from "../../processor/download/playlist-segments.ts";
import { readProbe } from "../../processor/mux/read-probe.ts";
import { JobFailure } from "../../processor/pipeline/job.ts";
import { parseTtml } from "../../processor/sidecars/ttml.ts";
import { joinWebVtt, parseWebVtt, printWebVtt } from "../../processor/sidecars/web-vtt.ts";
import { onlyMedium, sourceOfMedium, undescribedManifest } from "../../processor/source/media-info.ts";
import { spoiled } from "./spoiled.ts";

/** A text with pieces removed, and others inserted. */
function mangled(text: string, pieces: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat({ max: text.length }),
    cut: fc.nat({ max: 12 }),
    put: fc.oneof(fc.string({ unit: "binary", maxLength: 6 }), fc.constantFrom(...pieces)),
  });
  return fc
    .array(change, { maxLength: 6 })
    .map((changes) =>
      changes.reduce((whole, { at, cut, put }) => whole.slice(0, at) + put + whole.slice(at + cut), text),
    );
}

/** The result of reading it; undefined if it is rejected in the way that callers expect. */
function orRefused<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof JobFailure || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

const description = {
  title: "A film",
  duration: 6,
  is_live: false,
  extractor: "generic",
  language: "en",
  formats: [
    {
      format_id: "1",
      url: "https://media.example/1",
      protocol: "https",
      vcodec: "avc1",
      acodec: "mp4a",
      width: 64,
      tbr: 1,
    },
    {
      format_id: "2",
      url: "https://media.example/2",
      protocol: "http_dash_segments",
      fragment_base_url: "https://media.example/",
      fragments: [{ path: "a" }, { url: "https://media.example/b" }],
      http_headers: { a: "b" },
    },
    {
      format_id: "3",
      url: "https://media.example/3.m3u8",
      protocol: "m3u8_native",
      downloader_options: { http_chunk_size: 9 },
    },
  ],
  subtitles: { en: [{ url: "https://media.example/en.vtt", ext: "vtt" }] },
  thumbnails: [{ url: "https://media.example/1.jpg" }],
};

const probe = {
  format: {
    format_name: "mov,mp4",
    start_time: "0.0",
    duration: "6.0",
    bit_rate: "9",
    tags: { major_brand: "isom", title: "t" },
  },
  streams: [
    {
      index: 0,
      codec_type: "video",
      codec_name: "h264",
      width: 64,
      height: 36,
      avg_frame_rate: "25/1",
      duration: "6",
      disposition: { default: 1 },
    },
    {
      index: 1,
      codec_type: "audio",
      codec_name: "aac",
      channels: 2,
      sample_rate: "48000",
      tags: { DURATION: "00:00:06.0", language: "en" },
    },
    { index: 2, codec_type: "subtitle", codec_name: "mov_text", disposition: { forced: 1 } },
  ],
};

const playlist = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-MEDIA-SEQUENCE:7
#EXT-X-MAP:URI="init.mp4",BYTERANGE="10@0"
#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x00000000000000000000000000000001
#EXTINF:2,
#EXT-X-BYTERANGE:100@10
film.mp4
#EXT-X-KEY:METHOD=AES-128,URI="key-2"
#EXTINF:2,
next.mp4
#EXT-X-ENDLIST
`;
const base = "https://media.example/list.m3u8";

describe("for any input", () => {
  test("a description is a source with valid URLs, or is rejected", () => {
    fc.assert(
      fc.property(spoiled(description), (given) => {
        const medium = orRefused(() => onlyMedium(given));
        const source = orRefused(() => sourceOfMedium(medium));
        orRefused(() => undescribedManifest(medium));
        for (const { fragments, fragmentBase } of source?.formats ?? []) {
          for (const fragment of fragments.slice(0, 1)) {
            expect(URL.canParse(fragment, fragmentBase ?? undefined)).toBe(true);
          }
        }
        for (const { url } of source?.listed.thumbnails ?? []) expect(url).toMatch(/^https?:/);
      }),
      { numRuns: 400 },
    );
  });

  test("a probe is media with valid numbers, or is rejected", () => {
    fc.assert(
      fc.property(spoiled(probe), fc.uint8Array({ maxLength: 64 }), (given, head) => {
        const media = orRefused(() => readProbe(JSON.stringify(given), head));
        for (const { width, height, framesPerSecond, durationSeconds } of media?.video ?? []) {
          for (const number of [width, height, framesPerSecond, durationSeconds]) {
            if (number !== null) expect(number).toBeGreaterThanOrEqual(0);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  test("a playlist is a list of segments that can be fetched and decrypted, or nothing", () => {
    const pieces = [
      "http://[",
      "URI=",
      "IV=0x1",
      "-1",
      "99999999999999999999",
      "@",
      "\n",
      '"',
      "#EXT-X-KEY:METHOD=AES-128,",
    ];
    fc.assert(
      fc.property(mangled(playlist, pieces), (text) => {
        for (const { url, range, encryption } of segmentsOfPlaylist(text, base) ?? []) {
          expect(URL.canParse(url)).toBe(true);
          if (range !== null) expect(range.end).toBeGreaterThan(range.start);
          if (encryption !== null) expect(encryption.initializationVector).toHaveLength(16);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("subtitles are printed in a form that can be read again", () => {
    const vtt =
      "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\nSTYLE\n::cue{}\n\n1\n00:01.000 --> 00:02.000 line:1\nHello\n";
    const ttml = `<tt xmlns="http://www.w3.org/ns/ttml" frameRate="25"><body begin="1s"><p begin="1s" end="00:00:02.000">a<br/>b</p><p dur="9t">c</p></body></tt>`;
    const pieces = [
      "-->",
      "\n\n",
      "99:59:59.999",
      "999999999:00:00.000",
      "MPEGTS:99999999999999",
      "<p",
      "/>",
      "&#x0;",
      "]]>",
      'frameRate="0"',
    ];
    fc.assert(
      fc.property(fc.oneof(mangled(vtt, pieces), mangled(ttml, pieces)), (text) => {
        const read = parseWebVtt(text) ?? parseTtml(text);
        if (read === null) return;
        const joined = joinWebVtt([read, read], 0);
        expect(parseWebVtt(printWebVtt(joined))?.cues).toHaveLength(joined.cues.length);
      }),
      { numRuns: 400 },
    );
  });
});
