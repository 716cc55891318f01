import { describe, expect, test } from "vitest";
import { segmentsOfPlaylist } from "../../../processor/download/playlist-segments.ts";

const base = "https://media.example/show/list.m3u8?token=1";

function listOf(...lines: string[]): string {
  return ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:6", ...lines, "#EXT-X-ENDLIST"].join("\n");
}

const plain = { range: null, encryption: null };

test("segments are listed in order, with absolute URLs", () => {
  const text = listOf(
    "#EXTINF:6,",
    "a.ts",
    "#EXTINF:6,",
    "/b.ts",
    "#EXTINF:2.5,",
    "https://other.example/c.ts",
  );
  expect(segmentsOfPlaylist(text, base)).toEqual([
    { url: "https://media.example/show/a.ts", ...plain, listed: { seconds: 6, isContinued: true } },
    { url: "https://media.example/b.ts", ...plain, listed: { seconds: 6, isContinued: true } },
    { url: "https://other.example/c.ts", ...plain, listed: { seconds: 2.5, isContinued: true } },
  ]);
});

test("an initialization section is listed once, before the first segment that needs it", () => {
  const text = listOf(
    '#EXT-X-MAP:URI="one.mp4"',
    "#EXTINF:6,",
    "a.m4s",
    "#EXTINF:6,",
    "b.m4s",
    "#EXT-X-DISCONTINUITY",
    '#EXT-X-MAP:URI="two.mp4"',
    "#EXTINF:6,",
    "c.m4s",
  );
  const segments = segmentsOfPlaylist(text, base);
  const names = segments?.map(({ url }) => url.split("/").at(-1));
  expect(names).toEqual(["one.mp4", "a.m4s", "b.m4s", "two.mp4", "c.m4s"]);
  const continued = segments?.map(({ listed }) => listed?.isContinued);
  expect(continued).toEqual([undefined, true, true, undefined, false]);
});

test("ranges without a start follow the previous one", () => {
  const text = listOf(
    '#EXT-X-MAP:URI="all.mp4",BYTERANGE="700@0"',
    "#EXTINF:6,",
    "#EXT-X-BYTERANGE:1000@700",
    "all.mp4",
    "#EXTINF:6,",
    "#EXT-X-BYTERANGE:500",
    "all.mp4",
  );
  const segments = segmentsOfPlaylist(text, base);
  expect(segments?.map(({ range }) => range)).toEqual([
    { start: 0, end: 700 },
    { start: 700, end: 1700 },
    { start: 1700, end: 2200 },
  ]);
  expect(segments?.every(({ listed }) => listed === null)).toBe(true);
});

describe("encryption", () => {
  test("by AES-128 is returned with its IV, or with one derived from the segment's number", () => {
    const text = listOf(
      "#EXT-X-MEDIA-SEQUENCE:258",
      '#EXT-X-KEY:METHOD=AES-128,URI="key.bin"',
      "#EXTINF:6,",
      "a.ts",
      '#EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x000102030405060708090A0B0C0D0E0F',
      "#EXTINF:6,",
      "b.ts",
      "#EXT-X-KEY:METHOD=NONE",
      "#EXTINF:6,",
      "c.ts",
    );
    const keyUrl = "https://media.example/show/key.bin";
    expect(segmentsOfPlaylist(text, base)?.map(({ encryption }) => encryption)).toEqual([
      { keyUrl, initializationVector: Buffer.from("00000000000000000000000000000102", "hex") },
      { keyUrl, initializationVector: Buffer.from("000102030405060708090a0b0c0d0e0f", "hex") },
      null,
    ]);
  });

  test.each([
    '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="key.bin"',
    '#EXT-X-KEY:METHOD=AES-128,URI="skd://key",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"',
  ])("as %s is left to the downloader", (key) => {
    expect(segmentsOfPlaylist(listOf(key, "#EXTINF:6,", "a.ts"), base)).toBeNull();
  });
});

test.each([
  ["a list of playlists", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\nlow.m3u8\n"],
  ["segments that are missing", listOf("#EXTINF:6,", "#EXT-X-GAP", "a.ts")],
  ["variables", listOf('#EXT-X-DEFINE:NAME="a",VALUE="b"', "#EXTINF:6,", "{$a}.ts")],
  ["advertisements", listOf("#ANVATO-SEGMENT-INFO:type=ad", "#EXTINF:6,", "a.ts")],
  ["no playlist", "<html></html>"],
  ["a range of less than nothing", listOf('#EXT-X-MAP:URI="a.mp4",BYTERANGE=-1', "#EXTINF:6,", "a.ts")],
  ["a range of nothing", listOf("#EXTINF:6,", "#EXT-X-BYTERANGE:0@5", "a.ts")],
  ["a broken range", listOf("#EXTINF:6,", "#EXT-X-BYTERANGE:500", "a.ts")],
])("%s is left to the downloader", (_, text) => {
  expect(segmentsOfPlaylist(text, base)).toBeNull();
});

test("a master playlist has no segments, however many playlists it lists", () => {
  const names = Array.from({ length: 5000 }, (_, index) => index);
  const text = listOf(
    ...names.map((name) => `#EXT-X-MEDIA :TYPE=AUDIO,GROUP-ID="a",NAME="${name}",URI="a"`),
    ...names.map((name) => `#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="a",AUDIO="a"\n${name}`),
  );
  expect(segmentsOfPlaylist(text, base)).toBeNull();
});

test("a playlist whose URLs would take gigabytes is left to the downloader", () => {
  const longBase = `https://media.example/${"b".repeat(2000)}/list.m3u8`;
  expect(
    segmentsOfPlaylist(listOf(...Array.from({ length: 30_000 }, () => "#EXTINF:1,\na")), longBase),
  ).toBeNull();
});
