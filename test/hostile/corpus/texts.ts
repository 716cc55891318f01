import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ParserInput, ParserName } from "../../../processor/parsing/parsers.ts";

/** A text in a shape that is bad for its parser, of about so many characters. */
export type Shape = (characters: number) => string;

const repeated =
  (piece: string, before = "", after = ""): Shape =>
  (characters) =>
    before + piece.repeat(Math.ceil(characters / piece.length)) + after;
const media = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n";
const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\na.m3u8\n';
const segment = "#EXTINF:1,\na\n";
const cue = "00:00.000 --> 00:00.001\na\n\n";
const format = `{"format_id":"1","url":"https://a.example/","protocol":"https"},`;
const formats = (piece: string) => repeated(piece, `{"formats":[`, `${format.slice(0, -1)}]}`);

/** Texts for each parser: unclosed, nested, repeated, indented, or one endless line. */
export const hostileTexts: { readonly [Name in ParserName]: Readonly<Record<string, Shape>> } = {
  manifest: {
    "unclosed roots": repeated("<MPD "),
    "unclosed periods": repeated("<Period ", "<MPD>"),
    "periods with unclosed durations": repeated('<Period duration="', "<MPD>"),
    "a root with spaces before an equals sign that never comes": repeated(" ", "<MPD type", ">"),
    "a root of unfinished types": repeated(" type ", "<MPD", ">"),
    "empty lines": repeated("\n", media),
    "segments of endless length": repeated("1", `${media}#EXTINF:`),
    "an advertisement's endless line": repeated("type=a ", `${media}#ANVATO-SEGMENT-INFO:`),
  },
  segmentList: {
    segments: repeated(segment, media),
    "indented segments": repeated(` \t${segment}`, media),
    "keys before each segment": repeated(`#EXT-X-KEY:METHOD=AES-128,URI="k"\n${segment}`, media),
    "keys before one segment": repeated('#EXT-X-KEY:METHOD=AES-128,URI="k"\n', media, segment),
    maps: repeated(`#EXT-X-MAP:URI="k"\n${segment}`, `${media}#EXT-X-VERSION:7\n`),
    "byte ranges without a beginning": repeated(
      "#EXTINF:1,\n#EXT-X-BYTERANGE:1\na\n",
      `${media}#EXT-X-VERSION:4\n`,
    ),
    "an endless list of attributes": repeated("A=1,", `${media}#EXT-X-START:`, `\n${segment}`),
    "an endless line of quotes": repeated('"', `${media}#EXT-X-START:`, `\n${segment}`),
    "an endless title": repeated("a", `${media}#EXTINF:1,`, "\na\n"),
    "an endless line of spaces": repeated(" ", media, `\n${segment}`),
  },
  defaultAudio: {
    "many renditions and as many variants": (characters) => {
      const half = characters / 2;
      const renditions = repeated(
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",DEFAULT=YES,URI="a"\n',
        master,
      );
      return renditions(half) + repeated('#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nb\n')(half);
    },
    "an endless name": repeated("A", `${master}#EXT-X-MEDIA:`),
    "an endless list of attributes": repeated("A=1,", `${master}#EXT-X-MEDIA:`),
    "an endless line of quotes": repeated('A="', `${master}#EXT-X-MEDIA:`),
    "empty lines": repeated("\n", master),
  },
  subtitlePlaylist: {
    "empty lines": repeated("\n", media),
    "keys without encryption": repeated("#EXT-X-KEY:METHOD=NONE\n", media),
    "an endless line of spaces": repeated(" ", `${media}a`, "\nb"),
  },
  subtitleFiles: {
    cues: repeated(cue, "WEBVTT\n\n"),
    "spaces before a separator of lines": repeated(" ", "WEBVTT\n\n00:00.000 --> 00:00.001", "\u2028\n"),
    "spaces before an arrow that never comes": repeated(" ", "WEBVTT\n\n00:00.000"),
    "times of endless hours": repeated("1", "WEBVTT\n\n", ":00:00.000"),
    "clocks within a clock": repeated("LOCAL:MPEGTS:", "WEBVTT\nX-TIMESTAMP-MAP="),
    "a block of short lines": repeated("a\n", "WEBVTT\n\nSTYLE\n"),
    "empty lines": repeated("\n", "WEBVTT\n\n"),
    "a number before empty lines": repeated("\n", "1"),
    paragraphs: repeated('<p begin="0s" end="1s">a</p>', "<tt>", "</tt>"),
    "unclosed tags": repeated("<p ", "<tt>"),
    "an element of endless attributes": (characters) =>
      `<tt ${Array.from({ length: characters / 10 }, (_, index) => `a${index}="b"`).join(" ")}/>`,
    "an endless line of spaces": repeated(" ", "<tt><p>", "</p></tt>"),
    "entities without an end": repeated("&", "<tt><p>", "</p></tt>"),
    "a comment without an end": repeated("<!--", "<tt>"),
    "a section without an end": repeated("<![CDATA[", "<tt>"),
  },
  joinedSubtitle: {
    "repeated cues": cuesIn(1),
    "the same cues in many segments": cuesIn(100),
  },
  description: {
    "lists within lists": (characters) =>
      `{"title":${"[".repeat(characters / 2)}${"]".repeat(characters / 2)},"formats":[]}`,
    formats: formats(format),
    "formats of nothing": formats(`{"format_id":""},`),
    fragments: repeated(
      `{"path":"a"},`,
      `{"formats":[{"format_id":"1","url":"https://a.example/","protocol":"http_dash_segments","fragments":[`,
      `{"path":"a"}]}]}`,
    ),
    "languages of subtitles": (characters) =>
      `{"formats":[${format.slice(0, -1)}],"subtitles":{${Array.from(
        { length: characters / 50 },
        (_, index) => `"a${index}":[{"url":"https://a.example/","ext":"vtt"}]`,
      ).join(",")}}}`,
    "variants of one subtitle": repeated(
      `{"url":"","ext":"vtt"},`,
      `{"formats":[${format.slice(0, -1)}],"subtitles":{"en":[`,
      `{}]}}`,
    ),
    "an endless title": repeated("a ", `{"title":"`, `","formats":[${format.slice(0, -1)}]}`),
  },
};

/** The input of a parser for a text. A description is read from a file, which is written into the folder. */
export function inputOf<Name extends ParserName>(
  name: Name,
  text: string,
  folder: string,
): ParserInput<Name> {
  const inputs: { readonly [Each in ParserName]: () => ParserInput<Each> } = {
    description: () => saved(text, join(folder, "description.json")),
    manifest: () => Buffer.from(text),
    segmentList: () => ({ content: Buffer.from(text), url: "https://a.example/" }),
    defaultAudio: () => ({ content: Buffer.from(text), url: "https://a.example/" }),
    subtitlePlaylist: () => ({ content: Buffer.from(text), url: "https://a.example/" }),
    subtitleFiles: () => [Buffer.from(text)],
    joinedSubtitle: () => ({ segments: text, startSeconds: 0 }),
  };
  return inputs[name]();
}

function saved(text: string, path: string) {
  writeFileSync(path, text);
  return { path, byteLength: Buffer.byteLength(text) };
}

function cuesIn(segments: number): Shape {
  return (characters) => {
    const one = { startSeconds: 0, endSeconds: 1, settings: "", text: "a" };
    const perSegment = Math.ceil(characters / segments / JSON.stringify(one).length);
    const cues = Array.from({ length: perSegment }, () => one);
    return JSON.stringify(Array.from({ length: segments }, () => ({ styles: [], cues, clock: null })));
  };
}
