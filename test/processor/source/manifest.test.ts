import { expect, test } from "vitest";
import { readManifest } from "../../../processor/source/manifest.ts";

const mpd = (duration: string, periods = 1) =>
  `<MPD type="static" mediaPresentationDuration="${duration}">${"<Period></Period>".repeat(periods)}</MPD>`;

const playlist = (...lines: string[]) => ["#EXTM3U", "#EXT-X-TARGETDURATION:4", ...lines].join("\n");
const two = ["#EXTINF:4,", "a.ts", "#EXTINF:1.5,the end", "b.ts"];
const live = { isLive: true, durationSeconds: null };

test.each([
  ["one that has ended", playlist(...two, "#EXT-X-ENDLIST"), { isLive: false, durationSeconds: 5.5 }],
  [
    "one with other line endings",
    playlist(...two, "#EXT-X-ENDLIST").replaceAll("\n", "\r\n"),
    { isLive: false, durationSeconds: 5.5 },
  ],
  [
    "one that never changes",
    playlist("#EXT-X-PLAYLIST-TYPE:VOD", ...two),
    { isLive: false, durationSeconds: 5.5 },
  ],
  [
    "an event that has ended",
    playlist("#EXT-X-PLAYLIST-TYPE:EVENT", ...two, "#EXT-X-ENDLIST"),
    { isLive: false, durationSeconds: 5.5 },
  ],
  ["an event", playlist("#EXT-X-PLAYLIST-TYPE:EVENT", ...two), live],
  ["one that continues", playlist(...two), live],
  ["one without segments yet", playlist(), live],
  [
    "one with an advertisement",
    playlist("#UPLYNK-SEGMENT:1,0,ad", ...two, "#EXT-X-ENDLIST"),
    { isLive: false, durationSeconds: null },
  ],
  [
    "one with invalid lengths",
    playlist("#EXTINF:long,", "a.ts", "#EXT-X-ENDLIST"),
    { isLive: false, durationSeconds: null },
  ],
  [
    "one whose lengths are rounded",
    playlist("#EXTINF:10,a.b", "a.ts", "#EXTINF:10,", "b.ts", "#EXT-X-ENDLIST"),
    { isLive: false, durationSeconds: null },
  ],
  [
    "one whose rounded lengths have decimals",
    playlist("#EXTINF:10.000,a.5", "a.ts", "#EXTINF:10.000,", "b.ts", "#EXT-X-ENDLIST"),
    { isLive: false, durationSeconds: null },
  ],
  [
    "one with a single length that is not whole",
    playlist("#EXTINF:10.000,", "a.ts", "#EXTINF:7.04,", "b.ts", "#EXT-X-ENDLIST"),
    { isLive: false, durationSeconds: 17.04 },
  ],
  [
    "one whose last length is shorter, all of them whole",
    playlist("#EXTINF:10.000,", "a.ts", "#EXTINF:7.000,", "b.ts", "#EXT-X-ENDLIST"),
    { isLive: false, durationSeconds: 17 },
  ],
  [
    "one whose lengths are rounded, and the last one is shorter",
    playlist("#EXTINF:10,", "a.ts", "#EXTINF:7,", "b.ts", "#EXT-X-ENDLIST"),
    { isLive: false, durationSeconds: null },
  ],
  ["a list of playlists", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\na.m3u8", null],
  [
    "a presentation",
    '<?xml version="1.0"?>\n<MPD profiles="isoff-live"\n\ttype="static">',
    { isLive: false, durationSeconds: null },
  ],
  ["a presentation without a type", "<MPD>", { isLive: false, durationSeconds: null }],
  ["a presentation with a duration", mpd("PT1H2M3.5S"), { isLive: false, durationSeconds: 3723.5 }],
  ["one of days", mpd("P1DT1S"), { isLive: false, durationSeconds: 86_401 }],
  ["one with an empty duration", mpd("PT"), { isLive: false, durationSeconds: null }],
  ["one of several periods", mpd("PT9S", 2), { isLive: false, durationSeconds: 9 }],
  [
    "one with durations only in its periods",
    '<MPD><Period id="1" duration="PT4S"></Period><Period duration="PT1M"/></MPD>',
    { isLive: false, durationSeconds: 64 },
  ],
  [
    "one with a period without a duration",
    '<MPD><Period duration="PT4S"></Period><Period start="PT4S"/></MPD>',
    { isLive: false, durationSeconds: null },
  ],
  ["a presentation that continues", "<MPD\n\ttype='dynamic'>", live],
  ["a page", "<!doctype html><p>MPD</p>", null],
  ["nothing", "", null],
])("%s is read", (_, text, manifest) => {
  expect(readManifest(text)).toEqual(manifest);
});

test("a text of unclosed tags is read in one pass", () => {
  expect(readManifest("<MPD ".repeat(1_000_000))).toBeNull();
});
